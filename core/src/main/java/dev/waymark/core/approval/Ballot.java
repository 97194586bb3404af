package dev.waymark.core.approval;

import dev.waymark.core.instance.Actor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The voices of one level, and the rules by which a person may use them. Four eyes are kept here:
 * an excluded person has no voice, neither as the substitute of another person nor through a
 * substitute; and no person decides twice.
 *
 * @param earlier the votes of earlier levels of the same approval
 * @param excluded the requester, and all others who made the work that is to be checked
 * @param escalated the people to whom it was escalated: they decide in place of all who have not
 *     decided
 */
public record Ballot(
    Tally tally,
    List<Vote> earlier,
    Set<String> excluded,
    List<Substitution> substitutions,
    List<Party> escalated) {

  public Ballot {
    earlier = List.copyOf(earlier);
    excluded = Set.copyOf(excluded);
    substitutions = List.copyOf(substitutions);
    escalated = List.copyOf(escalated);
  }

  /**
   * A person who wants to decide.
   *
   * @param standsFor the people for whom the actor may speak now, as a directory says
   * @param onBehalfOf the person for whom the actor says to speak; if absent, the ballot finds it
   *     out
   */
  public record Voter(Actor actor, Set<String> standsFor, @Nullable String onBehalfOf, Instant at) {

    public Voter {
      standsFor = Set.copyOf(standsFor);
    }
  }

  /** A person's right to vote: these voices, or none, for this reason. */
  public sealed interface Right {

    /**
     * Voices that the person may use.
     *
     * @param onBehalfOf whose voices they are; empty if the person's own or the group's
     */
    record Seats(List<Integer> seats, List<String> onBehalfOf) implements Right {}

    record Refused(String reason) implements Right {}
  }

  public Right rightOf(Voter voter) {
    String id = voter.actor().id();
    if (excluded.contains(id)) {
      return refused("Expected somebody other than %s to decide, but it is %s".formatted(id, id));
    }

    Vote own = voteBy(id);
    if (own != null) {
      return refused(
          "Expected %s to decide once, but %s said '%s' at %s"
              .formatted(id, id, own.outcome().word(), own.at()));
    }
    return voter.onBehalfOf() == null || voter.onBehalfOf().equals(id)
        ? anyRight(voter)
        : rightFor(voter, voter.onBehalfOf());
  }

  private @Nullable Vote voteBy(String user) {
    for (List<Vote> votes : List.of(earlier, tally.votes())) {
      for (Vote vote : votes) {
        if (vote.by().equals(user)) {
          return vote;
        }
      }
    }
    return null;
  }

  /**
   * The person's own voice first, then the voices of the people for whom they stand, then those of
   * their groups.
   */
  private Right anyRight(Voter voter) {
    Actor actor = voter.actor();
    for (int seat : tally.open()) {
      Party party = party(seat);
      if (!party.group() && party.has(actor)) {
        return new Right.Seats(List.of(seat), List.of());
      }
    }
    for (int seat : tally.open()) {
      Party party = party(seat);
      if (!party.group() && maySpeakFor(voter, party.name())) {
        return new Right.Seats(List.of(seat), List.of(party.name()));
      }
    }
    for (int seat : tally.open()) {
      Party party = party(seat);
      if (party.group() && party.has(actor)) {
        return new Right.Seats(List.of(seat), List.of());
      }
    }
    if (escalated.stream().anyMatch(party -> party.has(actor))) {
      return everything();
    }
    return refusal(actor);
  }

  private Right everything() {
    Set<String> users = new LinkedHashSet<>();
    tally.openSeats().forEach(seat -> users.add(seat.party().toString()));
    return new Right.Seats(tally.open(), List.copyOf(users));
  }

  private Right rightFor(Voter voter, String user) {
    String id = voter.actor().id();
    if (excluded.contains(user)) {
      return refused("Expected nobody to decide for %s, but %s would".formatted(user, id));
    }
    // A person decides once, so the voice of their own would stay open for ever.
    if (tally.openSeats().stream().anyMatch(seat -> seat.party().equals(Party.user(id)))) {
      return refused(
          "Expected %s to decide with the voice of their own, which is open, but they would decide for %s"
              .formatted(id, user));
    }
    for (int seat : tally.open()) {
      if (!party(seat).group() && party(seat).name().equals(user)) {
        return maySpeakFor(voter, user)
            ? new Right.Seats(List.of(seat), List.of(user))
            : refused(
                "Expected a substitute of %s, but %s is none at %s"
                    .formatted(user, id, voter.at()));
      }
    }
    return refused(
        "Expected %s to have a voice that nobody has used, but there is none".formatted(user));
  }

  private boolean maySpeakFor(Voter voter, String user) {
    return voter.standsFor().contains(user)
        || substitutions.stream()
            .anyMatch(
                rule ->
                    rule.absent().equals(user)
                        && rule.by().equals(voter.actor().id())
                        && rule.holdsAt(voter.at()));
  }

  private Right refusal(Actor actor) {
    for (int seat = 0; seat < tally.level().seats().size(); seat++) {
      Vote vote = tally.voteOf(seat);
      if (vote != null && party(seat).has(actor)) {
        return refused(
            "Expected %s to have a voice that nobody has used, but %s said '%s' for %s at %s"
                .formatted(actor.id(), vote.by(), vote.outcome().word(), party(seat), vote.at()));
      }
    }
    return refused(
        "Expected one of %s to decide at level '%s', but %s is none of them"
            .formatted(
                String.join(", ", waitsFor().stream().map(Party::toString).toList()),
                tally.level().name(),
                actor.id()));
  }

  /** The parties whose voices are still wanted, and those to whom it was escalated. */
  public Set<Party> waitsFor() {
    Set<Party> parties = new LinkedHashSet<>();
    tally.openSeats().forEach(seat -> parties.add(seat.party()));
    parties.addAll(escalated);
    return parties;
  }

  /** The substitutes, of those whose voices are still wanted, at a moment. */
  public List<String> substitutesAt(Instant moment) {
    List<String> users = new ArrayList<>();
    for (Substitution rule : substitutions) {
      if (rule.holdsAt(moment) && waitsFor().contains(Party.user(rule.absent()))) {
        users.add(rule.by());
      }
    }
    return users;
  }

  private Party party(int seat) {
    return tally.level().seats().get(seat).party();
  }

  private static Right refused(String reason) {
    return new Right.Refused(reason);
  }
}
