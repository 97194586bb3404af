package dev.waymark.core.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.approval.Ballot.Right;
import dev.waymark.core.approval.Ballot.Voter;
import dev.waymark.core.instance.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who may use which voice: four eyes, substitutes, groups, and whom it was escalated to. */
final class BallotTest {

  private static final Instant NOON = Instant.parse("2026-01-12T12:00:00Z");
  private static final Substitution HOLIDAY =
      new Substitution("anna", "bert", NOON.minusSeconds(60), NOON.plusSeconds(60));

  private static Ballot ballot(List<Vote> votes, Set<String> excluded, String... seats) {
    Level level = new Level("lead", List.of(seats).stream().map(Seat::of).toList(), new Mode.All());
    return new Ballot(new Tally(level, votes), List.of(), excluded, List.of(HOLIDAY), List.of());
  }

  private static Voter voter(String id, String... groups) {
    return new Voter(new Actor(id, "default", Set.of(groups), Set.of()), Set.of(), null, NOON);
  }

  private static Voter forSomebody(String id, @Nullable String whom, Instant at) {
    return new Voter(Actor.of(id), Set.of(), whom, at);
  }

  private static Vote vote(String by, int... seats) {
    return new Vote(
        Outcome.APPROVED,
        by,
        List.of(),
        1,
        java.util.Arrays.stream(seats).boxed().toList(),
        NOON,
        "",
        "");
  }

  private static void assertSeats(Right right, List<Integer> seats, String... onBehalfOf) {
    assertThat(right).isEqualTo(new Right.Seats(seats, List.of(onBehalfOf)));
  }

  private static void assertRefused(Right right, String reason) {
    assertThat(right).isEqualTo(new Right.Refused(reason));
  }

  @Test
  void a_person_uses_the_own_voice_before_others() {
    Ballot ballot = ballot(List.of(), Set.of(), "group:finance", "anna", "bert");

    assertSeats(ballot.rightOf(voter("bert", "finance")), List.of(2));
    assertSeats(ballot.rightOf(voter("anna", "finance")), List.of(1));
    assertSeats(ballot.rightOf(voter("carl", "finance")), List.of(0));
  }

  @Test
  void a_person_without_a_voice_is_told_whose_voices_there_are() {
    assertRefused(
        ballot(List.of(), Set.of(), "anna", "group:finance").rightOf(voter("dora", "sales")),
        "Expected one of anna, group:finance to decide at level 'lead', but dora is none of them");
  }

  @Test
  void nobody_decides_twice_also_not_at_another_level() {
    Ballot ballot = ballot(List.of(vote("bert", 1)), Set.of(), "anna", "bert", "group:finance");

    assertRefused(
        ballot.rightOf(voter("bert", "finance")),
        "Expected bert to decide once, but bert said 'approved' at 2026-01-12T12:00:00Z");
    Ballot next =
        new Ballot(
            ballot(List.of(), Set.of(), "carl").tally(),
            List.of(vote("carl", 0)),
            Set.of(),
            List.of(),
            List.of());
    assertRefused(
        next.rightOf(voter("carl")),
        "Expected carl to decide once, but carl said 'approved' at 2026-01-12T12:00:00Z");
  }

  @Test
  void the_maker_is_never_the_checker_neither_alone_nor_for_another_nor_through_another() {
    Ballot ballot = ballot(List.of(), Set.of("bert"), "anna", "group:finance");
    assertRefused(
        ballot.rightOf(voter("bert", "finance")),
        "Expected somebody other than bert to decide, but it is bert");
    assertRefused(
        ballot.rightOf(forSomebody("bert", "anna", NOON)),
        "Expected somebody other than bert to decide, but it is bert");

    Ballot ofAnna = ballot(List.of(), Set.of("anna"), "carl");
    assertRefused(
        ofAnna.rightOf(forSomebody("bert", "anna", NOON)),
        "Expected nobody to decide for anna, but bert would");
  }

  @Test
  void a_substitute_speaks_only_while_the_rule_holds() {
    Ballot ballot = ballot(List.of(), Set.of(), "anna", "carl");

    assertSeats(ballot.rightOf(voter("bert")), List.of(0), "anna");
    assertSeats(ballot.rightOf(forSomebody("bert", "anna", NOON)), List.of(0), "anna");
    Instant after = NOON.plus(Duration.ofMinutes(1));
    assertRefused(
        ballot.rightOf(forSomebody("bert", "anna", after)),
        "Expected a substitute of anna, but bert is none at 2026-01-12T12:01:00Z");
    assertThat(ballot.rightOf(forSomebody("bert", null, after))).isInstanceOf(Right.Refused.class);
    assertThat(ballot.rightOf(forSomebody("bert", null, NOON.minusSeconds(61))))
        .isInstanceOf(Right.Refused.class);
    assertThat(ballot.substitutesAt(NOON)).containsExactly("bert");
    assertThat(ballot.substitutesAt(after)).isEmpty();
  }

  @Test
  void a_directory_may_know_more_substitutes() {
    Ballot ballot = ballot(List.of(), Set.of(), "carl");

    assertSeats(
        ballot.rightOf(new Voter(Actor.of("dora"), Set.of("carl"), null, NOON)),
        List.of(0),
        "carl");
  }

  @Test
  void a_person_whose_substitute_has_voted_is_told_so() {
    Ballot ballot = ballot(List.of(vote("bert", 0)), Set.of(), "anna", "carl");

    assertRefused(
        ballot.rightOf(voter("anna")),
        "Expected anna to have a voice that nobody has used, but bert said 'approved' for anna at"
            + " 2026-01-12T12:00:00Z");
  }

  @Test
  void people_of_an_escalation_use_the_voices_that_are_still_unused() {
    Ballot ballot = ballot(List.of(vote("bert", 1)), Set.of(), "anna", "bert", "group:finance");
    Ballot escalated =
        new Ballot(
            ballot.tally(), List.of(), Set.of(), List.of(), List.of(Party.group("directors")));

    assertSeats(
        escalated.rightOf(voter("eve", "directors")), List.of(0, 2), "anna", "group:finance");
    assertThat(escalated.waitsFor())
        .containsExactly(Party.user("anna"), Party.group("finance"), Party.group("directors"));
  }
}
