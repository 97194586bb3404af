package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code signal}: tells every run of the tenant that waits for this signal now. */
final class SignalKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required("name", Shape.name().told("the signal's name"))
          .field("payload", Shape.open().orNull())
          .document();

  @Override
  public String name() {
    return "signal";
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    String name = WithReader.text(input, "name", "");
    try {
      walk.draft().broadcast(Message.signal(name), WithReader.object(input, "payload"));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.note(HistoryEntry.Type.SIGNAL_SENT, visit, Map.of("name", name));
    walk.complete(visit, Map.of());
  }
}
