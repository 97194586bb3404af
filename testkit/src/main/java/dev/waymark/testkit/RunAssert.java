package dev.waymark.testkit;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions on a run. A failed one prints the whole timeline. */
public final class RunAssert extends AbstractAssert<RunAssert, Run> {

  RunAssert(Run actual) {
    super(actual, RunAssert.class);
  }

  public RunAssert isCompleted() {
    return hasStatus(Status.COMPLETED);
  }

  public RunAssert isCancelled() {
    return hasStatus(Status.CANCELLED);
  }

  public RunAssert isFailed() {
    return hasStatus(Status.FAILED);
  }

  public RunAssert isSuspended() {
    return hasStatus(Status.SUSPENDED);
  }

  public RunAssert hasStatus(Status expected) {
    return expect(actual.status() == expected, "to be " + expected, "is " + actual.status());
  }

  /** Stands exactly at these activities, in any order. */
  public RunAssert isWaitingAt(String... activities) {
    List<String> here = actual.waitsAt().stream().sorted().toList();
    List<String> wanted = List.of(activities).stream().sorted().toList();
    return expect(here.equals(wanted), "to stand at " + wanted, "stands at " + here);
  }

  public RunAssert hasVariable(String name, @Nullable Object value) {
    Object found = dev.waymark.core.Json.valueOf(actual.variables().get(name));
    Object wanted = dev.waymark.core.Json.valueOf(value);
    return expect(
        actual.variables().containsKey(name) && Objects.equals(found, wanted),
        "to have variable '" + name + "' as " + wanted,
        actual.variables().containsKey(name) ? "has " + found : "has none");
  }

  /** Completed these activities, in this order, and no others. */
  public RunAssert completed(String... activities) {
    List<String> trace = trace();
    return expect(
        trace.equals(List.of(activities)),
        "to have completed " + List.of(activities),
        "completed " + trace);
  }

  /** The activity must be one of the definition: a name that it does not have proves nothing. */
  public RunAssert neverVisited(String activity) {
    Set<String> known = actual.definition().activities().keySet();
    if (!known.contains(activity)) {
      throw failure(
          "Expected an activity of the definition, but it has no '%s', only %s", activity, known);
    }
    boolean visited =
        actual.history().stream().anyMatch(e -> activity.equals(e.activity()))
            || actual.waitsAt().contains(activity);
    return expect(!visited, "never to visit '" + activity + "'", "did");
  }

  private List<String> trace() {
    return actual.history().stream()
        .filter(e -> e.type() == HistoryEntry.Type.ACTIVITY_COMPLETED)
        .map(e -> String.valueOf(e.activity()))
        .toList();
  }

  private RunAssert expect(boolean holds, String expected, String got) {
    if (!holds) {
      throw failure("Expected the run %s, but it %s%n%s", expected, got, Timeline.of(actual));
    }
    return this;
  }
}
