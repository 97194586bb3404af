package dev.waymark.core.step;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event that an activity publishes under a type of its own. */
public record Emission(String type, Map<String, @Nullable Object> data) {

  public Emission {
    Limits.name("an event type", type);
    data = Json.objectOf(data);
  }
}
