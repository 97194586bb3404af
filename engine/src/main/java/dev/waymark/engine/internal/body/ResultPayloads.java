package dev.waymark.engine.internal.body;

import dev.waymark.core.Json;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.Wait;
import dev.waymark.engine.activity.ActivityResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The data of a body's result in which references to payloads may stand. */
final class ResultPayloads {

  private ResultPayloads() {}

  /** All data of a result, by its place there; absent if none of it holds a reference. */
  static @Nullable Map<String, @Nullable Object> in(@Nullable ActivityResult result) {
    return switch (result) {
      case null -> null;
      case ActivityResult.Completed completed -> in(completed, completed.output(), List.of());
      case ActivityResult.Suspended suspended ->
          in(suspended, suspended.output(), suspended.waits());
      case ActivityResult.Failed failed -> null;
    };
  }

  private static @Nullable Map<String, @Nullable Object> in(
      ActivityResult result, Map<String, @Nullable Object> output, List<Wait> waits) {
    List<Emission> events = result.effects().events();
    List<Send> messages = result.effects().messages();
    // Nearly every result has none, and each body that ends is asked.
    boolean named = Json.holdsPayload(output);
    for (Wait wait : waits) {
      named |= Json.holdsPayload(wait.payload());
    }
    for (Emission event : events) {
      named |= Json.holdsPayload(event.data());
    }
    for (Send message : messages) {
      named |= Json.holdsPayload(message.payload());
    }
    return named
        ? Map.of(
            "output", output,
            "waits", waits.stream().map(Wait::payload).toList(),
            "events", events.stream().map(Emission::data).toList(),
            "messages", messages.stream().map(Send::payload).toList())
        : null;
  }
}
