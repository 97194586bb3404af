package dev.waymark.core.definition;

import dev.waymark.core.Limits;
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
 * Checks what only the whole graph shows: every target is there, every activity can be reached, no
 * cycle spins for ever, every join has something to gather.
 *
 * <p>Where a target is misspelt, the graph is checked as if it were not.
 */
final class FlowCheck {

  private final Map<String, Draft> drafts;
  private final FaultList faults;
  private final Map<String, @Nullable String> guesses = new HashMap<>();
  private final Graph graph;

  FlowCheck(Map<String, Draft> drafts, FaultList faults) {
    this.drafts = drafts;
    this.faults = faults;
    Map<String, List<String>> targets = new LinkedHashMap<>();
    drafts.forEach((id, draft) -> targets.put(id, known(draft.ways())));
    this.graph = new Graph(targets);
  }

  Graph graph() {
    return graph;
  }

  /**
   * @param start the start activity's id and place; absent if the text does not say it
   */
  void run(Draft.@Nullable Way start) {
    drafts.values().stream().flatMap(Draft::ways).forEach(this::checkTarget);
    String first = null;
    if (start != null) {
      checkTarget(start);
      first = meant(start.to());
    }
    if (first != null && drafts.values().stream().noneMatch(Draft::vague)) {
      checkReachable(first);
    }
    checkCycles();
    checkJoins();
  }

  private void checkTarget(Draft.Way way) {
    if (!drafts.containsKey(way.to())) {
      faults.addUnknown(way.place(), "one of", drafts.keySet(), way.to());
    }
  }

  private void checkReachable(String start) {
    for (Draft draft : drafts.values()) {
      if (!draft.id().equals(start) && !graph.reaches(start, draft.id())) {
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
    for (Draft draft : drafts.values()) {
      if (graph.onCycle(draft.id()) && !done.contains(draft.id())) {
        List<Draft> cycle =
            drafts.values().stream()
                .filter(
                    other ->
                        graph.reaches(draft.id(), other.id())
                            && graph.reaches(other.id(), draft.id()))
                .toList();
        List<String> ids = cycle.stream().map(Draft::id).toList();
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

  private boolean waitsOrExits(Draft draft, Set<String> cycle) {
    return draft.vague()
        || draft.type() == null
        || draft.type().waits()
        || !cycle.containsAll(known(draft.next().stream()));
  }

  private void checkJoins() {
    for (Draft draft : drafts.values()) {
      boolean join = draft.type() != null && draft.isA("join");
      if (join && drafts.values().stream().noneMatch(other -> feeds(other, draft))) {
        faults.add(
            draft.place(),
            "a fork that leads to every join",
            "'%s' without one".formatted(draft.id()));
      }
    }
  }

  private boolean feeds(Draft fork, Draft join) {
    return fork.vague() || (fork.isA("fork") && graph.reaches(fork.id(), join.id()));
  }

  private List<String> known(Stream<Draft.Way> ways) {
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
