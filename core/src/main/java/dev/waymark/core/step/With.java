package dev.waymark.core.step;

import dev.waymark.core.definition.Faults;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what built-in kinds find in their {@code with}, before and after it is evaluated. */
final class With {

  private With() {}

  static void onlyKeys(Map<String, @Nullable Object> with, Faults faults, String... known) {
    List<String> allowed = Arrays.asList(known);
    for (String key : with.keySet()) {
      if (!allowed.contains(key)) {
        faults.add(key, "one of " + allowed, Faults.shown(key));
      }
    }
  }

  static String text(Map<String, @Nullable Object> input, String key, String otherwise) {
    Object value = input.get(key);
    return value == null ? otherwise : String.valueOf(value);
  }

  static void requireText(
      Map<String, @Nullable Object> with, Faults faults, String key, String what) {
    if (!(with.get(key) instanceof String text) || text.isBlank()) {
      faults.add(key, what, Faults.shown(with.get(key)));
    }
  }

  static void checkObject(Map<String, @Nullable Object> with, Faults faults, String key) {
    Object value = with.getOrDefault(key, Map.of());
    if (!(value instanceof Map) && !isExpression(value)) {
      faults.add(key, "an object", Faults.shown(value));
    }
  }

  static void checkOneOf(
      Map<String, @Nullable Object> with, Faults faults, String key, String... words) {
    List<String> allowed = Arrays.asList(words);
    Object value = with.get(key);
    if (value != null && !allowed.contains(value) && !isExpression(value)) {
      faults.add(key, "one of " + allowed, Faults.shown(value));
    }
  }

  /** A key as a part of a path. */
  static String escaped(Object key) {
    return String.valueOf(key).replace("~", "~0").replace("/", "~1");
  }

  /** An object, empty if there is none. */
  static Map<String, @Nullable Object> object(Map<String, @Nullable Object> input, String key) {
    Object value = input.get(key);
    if (value == null || value instanceof Map) {
      return Scopes.object(value);
    }
    throw new IllegalArgumentException(
        "Expected an object as '%s', but got %s".formatted(key, Faults.shown(value)));
  }

  /** Whether a value is only known once the run gets there. */
  static boolean isExpression(@Nullable Object value) {
    return value instanceof String text && text.contains("${");
  }

  static Duration duration(@Nullable Object value) {
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

  static Instant instant(@Nullable Object value) {
    try {
      return Instant.parse(String.valueOf(value));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "Expected an instant such as 2026-01-31T12:00:00Z, but got " + Faults.shown(value), e);
    }
  }
}
