package dev.waymark.core.step;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message from one instance to another: inserted with the step, spent by the receiver's.
 *
 * @param to absent in a signal, which is for all instances that wait for it
 */
public record Send(@Nullable InstanceId to, String name, Map<String, @Nullable Object> payload) {

  public Send {
    Limits.name("a message name", name);
    payload = Json.objectOf(payload);
    if (to == null && !Message.isSignal(name)) {
      throw new IllegalArgumentException(
          "Expected an addressee of message '" + name + "', but got none");
    }
  }

  public static Send signal(String name, Map<String, @Nullable Object> payload) {
    return new Send(null, Message.signal(name), payload);
  }
}
