package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.instance.Terms;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what built-in kinds find in their evaluated {@code with}. */
public final class WithReader {

  private WithReader() {}

  public static String text(Map<String, @Nullable Object> input, String key, String otherwise) {
    Object value = input.get(key);
    return value == null ? otherwise : String.valueOf(value);
  }

  /** An object, empty if there is none. */
  public static Map<String, @Nullable Object> object(
      Map<String, @Nullable Object> input, String key) {
    Object value = input.get(key);
    if (value == null || value instanceof Map) {
      return Json.object(value);
    }
    throw new IllegalArgumentException(
        "Expected an object as '%s', but got %s".formatted(key, Faults.shown(value)));
  }

  /** The terms of a wait that a message reaches by this key; none if there is no key. */
  public static Terms correlation(@Nullable Object correlation) {
    return switch (correlation) {
      case null -> Terms.NONE;
      case String text -> Terms.correlated(text);
      case Long number -> Terms.correlated(number.toString());
      default ->
          throw new IllegalArgumentException(
              "Expected 'correlate' to be a text or a whole number, but got " + correlation);
    };
  }

  public static Duration duration(@Nullable Object value) {
    try {
      Duration duration = Duration.parse(String.valueOf(value));
      if (duration.isNegative()) {
        throw new IllegalArgumentException(
            "Expected a duration of 0 or more, but got " + Faults.shown(value));
      }
      return duration;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "Expected an ISO-8601 duration such as PT30M, but got " + Faults.shown(value), e);
    }
  }

  public static Instant instant(@Nullable Object value) {
    try {
      return Instant.parse(String.valueOf(value));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "Expected an instant such as 2026-01-31T12:00:00Z, but got " + Faults.shown(value), e);
    }
  }
}
