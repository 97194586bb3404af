package dev.waymark.core.step;

import dev.waymark.core.definition.Faults;
import dev.waymark.core.instance.ActivityInstance;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code emit}: publishes an event of its own {@code type} to whoever subscribes. */
final class EmitKind implements Kind {

  @Override
  public String name() {
    return "emit";
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    With.onlyKeys(with, faults, "type", "data");
    With.requireText(with, faults, "type", "the event's type");
    With.checkObject(with, faults, "data");
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    try {
      walk.draft()
          .emit(new Command.Emission(With.text(input, "type", ""), With.object(input, "data")));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.complete(visit, Map.of());
  }
}
