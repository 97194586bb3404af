package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code emit}: publishes an event of its own {@code type} to all subscribers. */
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
      walk.emit(new Emission(WithReader.text(input, "type", ""), WithReader.object(input, "data")));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.complete(visit, Map.of());
  }
}
