package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code send}: a message to one run. If the run does not wait for it yet, it is kept. */
final class SendKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required("to", Shape.name().told("the id of an instance"))
          .required("name", Shape.name().told("the message's name"))
          .field("payload", Shape.open().orNull())
          .document();

  @Override
  public String name() {
    return "send";
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    Send send;
    try {
      send =
          new Send(
              InstanceId.parse(WithReader.text(input, "to", "")),
              Message.given(WithReader.text(input, "name", "")),
              WithReader.object(input, "payload"));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.draft().send(send);
    walk.note(
        HistoryEntry.Type.MESSAGE_SENT,
        visit,
        Map.of("to", String.valueOf(send.to()), "name", send.name()));
    walk.complete(visit, Map.of());
  }
}
