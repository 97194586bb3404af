package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code end}: this branch is done. The run completes when its last branch is. */
final class EndKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA = Shape.object().document();

  @Override
  public String name() {
    return "end";
  }

  @Override
  public boolean ends() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.complete(visit, Map.of());
  }
}
