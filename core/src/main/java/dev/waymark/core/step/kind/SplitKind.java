package dev.waymark.core.step.kind;

import dev.waymark.core.definition.Activity.Transition;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Scopes;
import dev.waymark.core.step.walk.Walk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code split}: takes every transition whose condition holds, side by side; the one without a
 * condition only if no other holds. Like a fork, its visit is the group of its branches.
 */
final class SplitKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA = Shape.object().document();

  @Override
  public String name() {
    return "split";
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
  public void enter(Walk walk, ActivityInstance visit) {
    List<String> branches;
    try {
      branches = branches(walk, visit);
    } catch (ExpressionException e) {
      walk.fault(visit, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    if (branches.isEmpty()) {
      walk.fault(
          visit,
          Fault.permanent(
              Fault.NO_MATCH,
              "Expected at least one of the conditions after '%s' to hold, but none did: %s"
                  .formatted(visit.activity(), Scopes.conditions(walk.activityOf(visit)))));
      return;
    }
    walk.note(HistoryEntry.Type.ACTIVITY_STARTED, visit);
    branches.forEach(branch -> walk.enter(branch, visit.visit()));
  }

  private static List<String> branches(Walk walk, ActivityInstance visit) {
    List<String> branches = new ArrayList<>();
    for (Transition transition : walk.activityOf(visit).next()) {
      if (transition.when() == null
          ? branches.isEmpty()
          : transition.when().holds(walk.after(visit, Map.of()))) {
        branches.add(transition.to());
      }
    }
    return branches;
  }

  @Override
  public void retried(Walk walk, ActivityInstance visit) {
    if (!walk.hasChildren(visit.visit())) {
      walk.begin(visit);
    }
  }

  @Override
  public boolean settles() {
    return true;
  }

  @Override
  public boolean settle(Walk walk, ActivityInstance split) {
    return ForkKind.settleGroup(walk, split);
  }
}
