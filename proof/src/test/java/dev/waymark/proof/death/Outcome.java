package dev.waymark.proof.death;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The part of a run's end that must be the same, however often a process died on the way. */
record Outcome(List<String> runs) {

  static Outcome of(Store store, Engine engine, List<Instance> runs) {
    List<Checker.Violation> violations = store.checker().check(Checker.Options.live());
    List<String> outcomes = new ArrayList<>();
    for (Instance instance : runs) {
      outcomes.add(
          "%s %s %s"
              .formatted(
                  instance.status(),
                  new TreeMap<>(instance.variables()),
                  new TreeMap<>(counted(engine, instance.id()))));
    }
    outcomes.sort(Comparator.naturalOrder());
    outcomes.add("violations: " + violations);
    return new Outcome(outcomes);
  }

  private static Map<String, Integer> counted(Engine engine, InstanceId id) {
    Map<String, Integer> counted = new TreeMap<>();
    for (HistoryEntry entry : engine.instances().history(id, 1, 10_000, Caller.of("anna"))) {
      switch (entry.type()) {
        case ACTIVITY_COMPLETED,
            ACTIVITY_CANCELLED,
            ACTIVITY_REACTED,
            ACTIVITY_FAULTED,
            EVENT_EMITTED,
            VOTE_CAST,
            TASK_CHANGED,
            WAIT_ESCALATED,
            WAIT_REMINDED,
            WAIT_REPORTED,
            CHILD_STARTED ->
            counted.merge(entry.type() + " " + entry.activity(), 1, Integer::sum);
        default -> {}
      }
    }
    return counted;
  }
}
