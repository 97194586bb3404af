package dev.waymark.core.step;

import dev.waymark.core.instance.ActivityInstance;
import java.util.Map;

/** {@code end}: this branch is done. The run completes when its last branch is. */
final class EndKind implements Kind {

  @Override
  public String name() {
    return "end";
  }

  @Override
  public boolean ends() {
    return true;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.complete(visit, Map.of());
  }
}
