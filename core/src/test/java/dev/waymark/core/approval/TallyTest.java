package dev.waymark.core.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The count, mode by mode: each line says who decides what in which order, and what comes of it.
 */
final class TallyTest {

  private static final Instant NOON = Instant.parse("2026-01-12T12:00:00Z");

  /**
   * Votes are written as {@code a+} (a approves), {@code a-} (rejects), {@code a?} (asks for
   * changes), in order; {@code until} is how many of them it takes.
   */
  @ParameterizedTest
  @CsvSource({
    // any: the first approval, or the last rejection
    "any, a b c, a+, 1, approved",
    "any, a b c, a- b+, 2, approved",
    "any, a b c, a- b- c-, 3, rejected",
    "any, a b c, a- b-, 0, ",
    "any, a, a-, 1, rejected",
    // all: the last approval, or the first rejection
    "all, a b c, a+ b+ c+, 3, approved",
    "all, a b c, a+ b+, 0, ",
    "all, a b c, a+ b-, 2, rejected",
    "all, a b c, a-, 1, rejected",
    // at least: as soon as it is reached, or cannot be any more
    "2, a b c, a+ b+, 2, approved",
    "2, a b c, a- b+ c+, 3, approved",
    "2, a b c, a- b-, 2, rejected",
    "2, a b c, a+ b-, 0, ",
    "3, a b c, a+ b+ c-, 3, rejected",
    "3, a b c d e, a- b- c-, 3, rejected",
    "3, a b c d e, a- b- c+ d+ e+, 5, approved",
    // weights
    "w5, a3 b2 c1, a+ b+, 2, approved",
    "w5, a3 b2 c1, a+ c+, 0, ",
    "w5, a3 b2 c1, a-, 1, rejected",
    "w5, a3 b2 c1, b-, 1, rejected",
    "w5, a3 b2 c1, c- a+ b+, 3, approved",
    "w3, a3 b2 c1, c+ b+, 2, approved",
    // a veto ends it in every mode; an approval of who could veto is one like others
    "any, a! b c, a-, 1, rejected",
    "any, a! b c, b- a-, 2, rejected",
    "2, a! b c, a-, 1, rejected",
    "2, a! b c, b+ a-, 2, rejected",
    "2, a! b c, b+ c+, 2, approved",
    "w5, a3 b2 c1!, c-, 1, rejected",
    // changes: whoever asks for them ends it
    "all, a b c, a+ b?, 2, changes-requested",
    "any, a b c, a?, 1, changes-requested",
    "w5, a3 b2 c1, c?, 1, changes-requested",
  })
  void it_is_decided_as_soon_as_it_cannot_come_out_otherwise(
      String mode, String seats, String votes, int until, @Nullable String outcome) {
    Tally tally = new Tally(level(mode, seats), List.of());

    List<String> seen = new ArrayList<>();
    for (String vote : votes.split(" ", -1)) {
      assertThat(tally.outcome()).as("before %s", vote).isNull();
      tally = tally.plus(vote(tally.level(), vote));
      seen.add(vote);
    }

    assertThat(tally.outcome()).isEqualTo(outcome == null ? null : Outcome.of(outcome));
    assertThat(until).isEqualTo(outcome == null ? 0 : seen.size());
  }

  @Test
  void any_two_orders_of_the_same_votes_come_to_the_same_or_to_what_was_decided_first() {
    Level level = level("2", "a b c");
    List<Vote> votes = List.of(vote(level, "a+"), vote(level, "b-"), vote(level, "c+"));

    for (List<Integer> order : List.of(List.of(0, 1, 2), List.of(2, 1, 0), List.of(1, 2, 0))) {
      Tally tally = new Tally(level, List.of());
      for (int i : order) {
        tally = tally.outcome() == null ? tally.plus(votes.get(i)) : tally;
      }
      assertThat(tally.outcome()).isEqualTo(Outcome.APPROVED);
    }
  }

  @Test
  void a_voice_counts_once() {
    Level level = level("all", "a b");

    assertThatThrownBy(() -> new Tally(level, List.of(vote(level, "a+"), vote(level, "a+"))))
        .hasMessage("Expected every voice of level 'x' once at most, but a used 0 of 2");
  }

  @Test
  void what_can_never_be_reached_is_refused_before_anybody_is_asked() {
    assertThatThrownBy(() -> level("4", "a b c"))
        .hasMessage("Expected level 'x' to have at least 4 voices, but it has 3");
    assertThatThrownBy(() -> level("w7", "a3 b2 c1"))
        .hasMessage("Expected level 'x' to have at least 7 in weights, but it has 6");
    assertThatThrownBy(() -> new Level("x", List.of(), Mode.ANY))
        .hasMessage("Expected somebody who can approve at level 'x', but nobody is left");
  }

  @Test
  void a_vote_is_the_same_after_it_was_stored() {
    Vote vote =
        new Vote(
            Outcome.CHANGES_REQUESTED, "b", List.of("a"), 2, List.of(0, 3), NOON, "f00d", "Why?");

    assertThat(Vote.fromDocument(vote.toDocument())).isEqualTo(vote);
  }

  static Level level(String mode, String seats) {
    return new Level(
        "x", Arrays.stream(seats.split(" ", -1)).map(TallyTest::seat).toList(), mode(mode));
  }

  private static Mode mode(String text) {
    return switch (text) {
      case "any" -> Mode.ANY;
      case "all" -> Mode.ALL;
      default ->
          text.startsWith("w")
              ? new Mode.Weighted(Integer.parseInt(text.substring(1)))
              : new Mode.AtLeast(Integer.parseInt(text));
    };
  }

  private static Seat seat(String text) {
    String digits = text.replaceAll("[^0-9]", "");
    return new Seat(
        Party.user(text.substring(0, 1)),
        digits.isEmpty() ? 1 : Integer.parseInt(digits),
        text.endsWith("!"));
  }

  private static Vote vote(Level level, String text) {
    String who = text.substring(0, 1);
    Outcome outcome =
        switch (text.substring(1)) {
          case "+" -> Outcome.APPROVED;
          case "-" -> Outcome.REJECTED;
          default -> Outcome.CHANGES_REQUESTED;
        };
    int seat = level.seats().stream().map(s -> s.party().name()).toList().indexOf(who);
    return new Vote(outcome, who, List.of(), 1, List.of(seat), NOON, "", "");
  }
}
