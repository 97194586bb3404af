package dev.waymark.core.step;

import dev.waymark.core.definition.Shape;
import dev.waymark.core.instance.ActivityInstance;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code emit}: publishes an event of its own {@code type} to whoever subscribes. */
final class EmitKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required("type", Shape.name().told("the event's type"))
          .field("data", Shape.open().orNull())
          .document();

  @Override
  public String name() {
    return "emit";
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    try {
      walk.emit(new Emission(With.text(input, "type", ""), With.object(input, "data")));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.complete(visit, Map.of());
  }
}
