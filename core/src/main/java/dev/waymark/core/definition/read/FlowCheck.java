package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Graph;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.definition.text.Near;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules that need the whole graph: every target exists, every activity can be reached,
 * no cycle spins for ever, every join has something to gather.
 *
 * <p>Where a target is misspelt, the graph is checked as if it were not.
 */
final class FlowCheck {

  private final Map<String, DefinitionDraft> drafts;
  private final FaultList faults;
  private final Map<String, @Nullable String> guesses = new HashMap<>();
  private final Map<String, List<String>> idsByScope = new HashMap<>();
  private final Graph graph;

  /**
   * True if a transition leads into another scope: then the activity that it should lead to looks
   * unreachable.
   */
  private boolean misplaced;

  FlowCheck(Map<String, DefinitionDraft> drafts, FaultList faults) {
    this.drafts = drafts;
    this.faults = faults;
    Map<String, List<String>> targets = new LinkedHashMap<>();
    drafts.forEach((id, draft) -> targets.put(id, known(leads(draft))));
    this.graph = new Graph(targets);
  }

  Graph graph() {
    return graph;
  }

  /** All activities that a run can reach from an activity, those inside it included. */
  private static Stream<DefinitionDraft.Way> leads(DefinitionDraft draft) {
    return Stream.concat(draft.ways().beside(), Stream.ofNullable(draft.ways().inside()));
  }

  /**
   * @param entries where a run can begin, or be sent by its own reactions
   * @param vague whether the text may name more of them
   */
  void run(List<DefinitionDraft.Way> entries, boolean vague) {
    for (DefinitionDraft draft : drafts.values()) {
      draft.ways().beside().forEach(way -> checkTarget(way, draft.scope()));
      if (draft.ways().inside() != null) {
        checkTarget(draft.ways().inside(), draft.id());
      }
      checkHandler(draft);
    }
    entries.forEach(way -> checkTarget(way, null));
    if (!vague && !misplaced && drafts.values().stream().noneMatch(DefinitionDraft::vague)) {
      checkReachable(known(entries.stream()));
    }
    checkCycles();
    checkJoins();
  }

  private void checkTarget(DefinitionDraft.Way way, @Nullable String scope) {
    DefinitionDraft target = drafts.get(way.to());
    if (target == null) {
      faults.addUnknown(way.place(), "one of", idsIn(scope), way.to());
    } else if (!Objects.equals(target.scope(), scope)) {
      misplaced = true;
      faults.add(
          way.place(),
          "an activity " + where(scope),
          "'%s', which stands %s".formatted(way.to(), where(target.scope())));
    }
  }

  /** Listed once for each scope: a text has room for tens of thousands of wrong targets. */
  private List<String> idsIn(@Nullable String scope) {
    return idsByScope.computeIfAbsent(
        scope == null ? "" : scope,
        unused ->
            drafts.values().stream()
                .filter(draft -> Objects.equals(draft.scope(), scope))
                .map(DefinitionDraft::id)
                .toList());
  }

  private static String where(@Nullable String scope) {
    return scope == null ? "outside of any scope" : "inside of '%s'".formatted(scope);
  }

  /**
   * Checks a handler that undoes an activity: it is reached by compensation alone, and leads
   * nowhere.
   */
  private void checkHandler(DefinitionDraft draft) {
    DefinitionDraft.Way way = draft.ways().compensate();
    DefinitionDraft handler = way == null ? null : drafts.get(way.to());
    if (way == null || handler == null) {
      return;
    }
    if (handler.id().equals(draft.id())) {
      faults.add(way.place(), "another activity", Faults.shown(way.to()));
    } else if (!handler.ways().next().isEmpty() || handler.ways().compensate() != null) {
      faults.add(
          way.place(),
          "an activity without 'next' and 'compensate' (a scope, if several things are to be"
              + " undone)",
          Faults.shown(way.to()));
    } else if (handler.type() != null && (handler.type().forks() || handler.isA("join"))) {
      faults.add(way.place(), "an activity that can stand alone", "a " + handler.type().name());
    } else if (drafts.values().stream().anyMatch(other -> flowsTo(other, way.to()))) {
      faults.add(
          way.place(),
          "an activity that is reached by compensation alone",
          "'%s', which is also led to otherwise".formatted(way.to()));
    }
  }

  private static boolean flowsTo(DefinitionDraft draft, String id) {
    return leads(draft)
        .filter(way -> !way.equals(draft.ways().compensate()))
        .anyMatch(way -> way.to().equals(id));
  }

  private void checkReachable(List<String> entries) {
    for (DefinitionDraft draft : drafts.values()) {
      if (!entries.contains(draft.id())
          && entries.stream().noneMatch(entry -> graph.reaches(entry, draft.id()))) {
        faults.add(
            draft.place(),
            "every activity to be reachable from start",
            "'%s', which nothing leads to".formatted(draft.id()));
      }
    }
  }

  /**
   * Activities that all lead to each other form one cycle, however tangled. A run can leave it by a
   * transition; a fork is no exit, because it leads back in as surely as it leads out.
   */
  private void checkCycles() {
    Set<String> done = new HashSet<>();
    for (DefinitionDraft draft : drafts.values()) {
      if (graph.onCycle(draft.id()) && !done.contains(draft.id())) {
        List<DefinitionDraft> cycle =
            drafts.values().stream()
                .filter(
                    other ->
                        graph.reaches(draft.id(), other.id())
                            && graph.reaches(other.id(), draft.id()))
                .toList();
        List<String> ids = cycle.stream().map(DefinitionDraft::id).toList();
        done.addAll(ids);
        if (cycle.stream().noneMatch(member -> waitsOrExits(member, Set.copyOf(ids)))) {
          faults.add(
              draft.place(),
              "a way out of every cycle, or a wait in it",
              "the cycle " + Faults.shown(String.join(" → ", ids)));
        }
      }
    }
  }

  private boolean waitsOrExits(DefinitionDraft draft, Set<String> cycle) {
    if (draft.vague() || draft.type() == null || waits(draft)) {
      return true;
    }
    DefinitionDraft.Ways ways = draft.ways();
    // An activity that comes back only when it fails, and otherwise ends here, is a way out.
    boolean ends = ways.next().isEmpty() && ways.others().isEmpty();
    return ends || !ways.events().isEmpty() || !cycle.containsAll(known(ways.next().stream()));
  }

  private boolean waits(DefinitionDraft draft) {
    return (draft.type() != null && draft.type().waits())
        || drafts.values().stream()
            .anyMatch(member -> draft.id().equals(member.scope()) && waits(member));
  }

  private void checkJoins() {
    for (DefinitionDraft draft : drafts.values()) {
      boolean join = draft.type() != null && draft.isA("join");
      if (join && drafts.values().stream().noneMatch(other -> feeds(other, draft))) {
        faults.add(
            draft.place(),
            "a fork or split in the same scope that leads to every join",
            "'%s' without one".formatted(draft.id()));
      }
    }
  }

  private boolean feeds(DefinitionDraft fork, DefinitionDraft join) {
    return fork.vague()
        || (fork.mayFork()
            && Objects.equals(fork.scope(), join.scope())
            && graph.reaches(fork.id(), join.id()));
  }

  private List<String> known(Stream<DefinitionDraft.Way> ways) {
    return ways.map(way -> meant(way.to())).filter(Objects::nonNull).distinct().toList();
  }

  /** The activity of this id, or the one that was probably meant. */
  private @Nullable String meant(String id) {
    if (drafts.containsKey(id)) {
      return id;
    }
    if (!guesses.containsKey(id)) {
      // A guess costs a look at every activity, and a text has room for tens of thousands.
      boolean affordable = guesses.size() < Limits.DEFINITION_FAULTS;
      guesses.put(id, affordable ? Near.of(id, drafts.keySet()) : null);
    }
    return guesses.get(id);
  }
}
