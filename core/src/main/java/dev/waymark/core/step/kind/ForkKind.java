package dev.waymark.core.step.kind;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code fork}: starts its {@code branches} side by side. Its visit lives as long as its branches
 * do: it is the group that a join gathers.
 */
final class ForkKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required(
              "branches",
              Shape.list(Shape.name().told("the id of an activity"))
                  .size(1, Limits.BRANCHES)
                  .told("a list of 1 to %,d activities".formatted(Limits.BRANCHES))
                  .constant())
          .document();

  @Override
  public String name() {
    return "fork";
  }

  @Override
  public boolean ends() {
    return true;
  }

  @Override
  public boolean forks() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public List<String> targets(Map<String, @Nullable Object> with) {
    return with.get("branches") instanceof List<?> branches
        ? branches.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.note(HistoryEntry.Type.ACTIVITY_STARTED, visit);
    List<String> branches = targets(walk.input(visit));
    walk.put(visit.with("input", null));
    branches.forEach(branch -> walk.enter(branch, visit.visit()));
  }

  @Override
  public boolean settles() {
    return true;
  }

  @Override
  public void retried(Walk walk, ActivityInstance visit) {
    if (!walk.hasChildren(visit.visit())) {
      walk.begin(visit);
    }
  }

  @Override
  public boolean settle(Walk walk, ActivityInstance fork) {
    return settleGroup(walk, fork);
  }

  /**
   * A group without a live branch is over: its join has carried the token on, or every branch
   * ended.
   */
  static boolean settleGroup(Walk walk, ActivityInstance group) {
    if (group.state() == ActivityInstance.State.PARKED || walk.hasChildren(group.visit())) {
      return false;
    }
    walk.remove(group);
    return true;
  }
}
