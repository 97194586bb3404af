package dev.waymark.core.step.kind;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.step.walk.Compensation;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;

/**
 * The whole run as a visit around all others. It exists only where the run has reactions of its
 * own, or is being undone.
 */
final class RootKind implements Kind {

  @Override
  public String name() {
    return Definition.ROOT;
  }

  @Override
  public Inside inside() {
    return Inside.BLOCK;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.enter(walk.definition().start(), visit.visit());
  }

  @Override
  public void retried(Walk walk, ActivityInstance visit) {}

  @Override
  public boolean settles() {
    return true;
  }

  @Override
  public boolean settle(Walk walk, ActivityInstance root) {
    if (Compensation.isDriver(root)) {
      return Compensation.settle(walk, root);
    }
    if (root.state() == ActivityInstance.State.PARKED || walk.hasChildren(root.visit())) {
      return false;
    }
    walk.remove(root);
    return true;
  }
}
