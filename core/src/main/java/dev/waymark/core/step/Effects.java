package dev.waymark.core.step;

import dev.waymark.core.Limits;
import java.util.List;

/** The events and messages of a body's result. */
public record Effects(List<Emission> events, List<Send> messages) {

  public static final Effects NONE = new Effects(List.of(), List.of());

  public Effects {
    events = List.copyOf(events);
    messages = List.copyOf(messages);
    if (events.size() > Limits.EVENTS_PER_RESULT) {
      throw new IllegalArgumentException(
          "Expected at most %d events in a result, but got %d"
              .formatted(Limits.EVENTS_PER_RESULT, events.size()));
    }
    if (messages.size() > Limits.MESSAGES_PER_RESULT) {
      throw new IllegalArgumentException(
          "Expected at most %d messages in a result, but got %d"
              .formatted(Limits.MESSAGES_PER_RESULT, messages.size()));
    }
  }
}
