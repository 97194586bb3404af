package dev.waymark.core.step.people;

import dev.waymark.core.Limits;
import dev.waymark.core.approval.ApprovalPlan;
import dev.waymark.core.approval.Ballot;
import dev.waymark.core.approval.Party;
import dev.waymark.core.approval.Substitution;
import dev.waymark.core.approval.Tally;
import dev.waymark.core.approval.Vote;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Candidates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of an approval between steps.
 *
 * @param level at which it is, counted from 1
 * @param votes of all levels so far
 * @param escalated the people to whom this level was escalated
 * @param delegations the approvers who have let another person speak, with that person
 * @param handedOver the voices that operators have given to another person, in their order
 */
public record ApprovalState(
    int level,
    List<Vote> votes,
    List<Party> escalated,
    List<Substitution> delegations,
    List<HandedOver> handedOver) {

  /** A voice that was given to another person. */
  record HandedOver(String from, String to) {

    Party applyTo(Party party) {
      return party.equals(Party.user(from)) ? Party.user(to) : party;
    }
  }

  private static final String LEVEL = "level";
  private static final String VOTES = "votes";
  private static final String ESCALATED = "escalated";
  private static final String DELEGATIONS = "delegations";
  private static final String HANDED_OVER = "handedOver";

  public ApprovalState {
    votes = List.copyOf(votes);
    escalated = List.copyOf(escalated);
    delegations = List.copyOf(delegations);
    handedOver = List.copyOf(handedOver);
  }

  // ---- in its visit

  public static ApprovalState of(ActivityInstance visit) {
    return new ApprovalState(
        visit.data().get(LEVEL) instanceof Long level ? level.intValue() : 1,
        list(visit, VOTES).map(each -> Vote.fromDocument((Map<?, ?>) each)).toList(),
        list(visit, ESCALATED).map(each -> Party.of(String.valueOf(each))).toList(),
        list(visit, DELEGATIONS).map(each -> Substitution.fromDocument((Map<?, ?>) each)).toList(),
        list(visit, HANDED_OVER).map(each -> handedOver((Map<?, ?>) each)).toList());
  }

  private static HandedOver handedOver(Map<?, ?> document) {
    return new HandedOver(String.valueOf(document.get("from")), String.valueOf(document.get("to")));
  }

  private static Stream<?> list(ActivityInstance visit, String name) {
    return visit.data().get(name) instanceof List<?> list ? list.stream() : Stream.of();
  }

  ActivityInstance in(ActivityInstance visit) {
    return visit
        .with(LEVEL, (long) level)
        .with(VOTES, documents(votes.stream().map(Vote::toDocument)))
        .with(ESCALATED, documents(escalated.stream().map(Party::toString)))
        .with(DELEGATIONS, documents(delegations.stream().map(Substitution::toDocument)))
        .with(
            HANDED_OVER,
            documents(
                handedOver.stream().map(each -> Map.of("from", each.from(), "to", each.to()))));
  }

  private static @Nullable List<?> documents(Stream<?> each) {
    List<?> list = each.toList();
    return list.isEmpty() ? null : list;
  }

  // ---- as it goes on

  ApprovalState plus(Vote vote) {
    return new ApprovalState(level, append(votes, vote), escalated, delegations, handedOver);
  }

  /** A later delegation of the same person takes the place of an earlier one. */
  ApprovalState plus(Substitution rule) {
    List<Substitution> others =
        delegations.stream().filter(each -> !each.absent().equals(rule.absent())).toList();
    return new ApprovalState(level, votes, escalated, append(others, rule), handedOver);
  }

  ApprovalState plus(HandedOver voice) {
    return new ApprovalState(level, votes, escalated, delegations, append(handedOver, voice));
  }

  ApprovalState escalatedTo(List<Party> parties) {
    List<Party> more = new ArrayList<>(escalated);
    parties.stream().filter(party -> !more.contains(party)).forEach(more::add);
    return new ApprovalState(level, votes, more, delegations, handedOver);
  }

  ApprovalState next() {
    return new ApprovalState(level + 1, votes, List.of(), delegations, handedOver);
  }

  ApprovalState restarted() {
    return new ApprovalState(level, earlier(), List.of(), delegations, handedOver);
  }

  private static <T> List<T> append(List<T> list, T last) {
    List<T> longer = new ArrayList<>(list);
    longer.add(last);
    return longer;
  }

  // ---- what follows from it

  private List<Vote> earlier() {
    return votes.stream().filter(vote -> vote.level() < level).toList();
  }

  Ballot ballot(ApprovalPlan plan) {
    Set<String> without = new LinkedHashSet<>(plan.excluded());
    earlier().forEach(vote -> without.add(vote.by()));
    List<Vote> here = votes.stream().filter(vote -> vote.level() == level).toList();
    return new Ballot(
        new Tally(plan.stages().get(level - 1).as(this::now).without(without), here),
        earlier(),
        plan.excluded(),
        rules(plan).toList(),
        escalated.stream().map(this::now).distinct().toList());
  }

  /** The party that has the voice now which a definition gave to another. */
  private Party now(Party party) {
    Party now = party;
    for (HandedOver voice : handedOver) {
      now = voice.applyTo(now);
    }
    return now;
  }

  private Stream<Substitution> rules(ApprovalPlan plan) {
    return Stream.concat(plan.substitutions().stream(), delegations.stream());
  }

  /** The people who may still decide, as inboxes show it. Each vote asks again. */
  Candidates candidates(Ballot ballot, Instant now) {
    Set<String> excluded = new LinkedHashSet<>(ballot.excluded());
    votes.forEach(vote -> excluded.add(vote.by()));
    Stream<String> asked =
        ballot.waitsFor().stream().filter(party -> !party.group()).map(Party::name);
    Stream<String> groups = ballot.waitsFor().stream().filter(Party::group).map(Party::name);
    return new Candidates(
        null,
        bounded(
            Stream.concat(asked, ballot.substitutesAt(now).stream())
                .filter(user -> !excluded.contains(user))),
        bounded(groups),
        bounded(excluded.stream()));
  }

  private static Set<String> bounded(Stream<String> names) {
    return names.distinct().limit(Limits.CANDIDATES).collect(Collectors.toSet());
  }

  /**
   * The next moment at which a person begins or ceases to stand for another; absent if there is
   * none.
   */
  @Nullable Instant nextChange(ApprovalPlan plan, Instant now) {
    return rules(plan)
        .map(rule -> rule.nextAfter(now))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** A vote as the output shows it, without the numbers of the voices that it used. */
  static Map<String, @Nullable Object> shown(Vote vote) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>(vote.toDocument());
    document.remove("seats");
    return document;
  }
}
