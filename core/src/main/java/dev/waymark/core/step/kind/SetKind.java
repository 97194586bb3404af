package dev.waymark.core.step.kind;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;

/** {@code set}: puts its evaluated {@code with} into the variables. */
final class SetKind implements Kind {

  @Override
  public String name() {
    return "set";
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.complete(visit, walk.input(visit));
  }
}
