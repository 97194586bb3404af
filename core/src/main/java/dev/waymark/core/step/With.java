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
