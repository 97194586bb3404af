package dev.waymark.core.approval;

import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.time.Calendar;
import dev.waymark.core.time.Lapse;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the {@code with} of an activity of people's work. Null counts as absent. */
final class Given {

  private Given() {}

  static List<Map<String, @Nullable Object>> objects(String name, @Nullable Object value) {
    return list(name, value).stream().map(each -> object(name, each)).toList();
  }

  /** A list; a single value is a list of one. */
  static List<? extends @Nullable Object> list(String name, @Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> list;
      default -> List.of(value);
    };
  }

  static Map<String, @Nullable Object> object(String name, @Nullable Object value) {
    if (value == null) {
      return Map.of();
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      map.forEach((key, each) -> object.put(String.valueOf(key), each));
      return object;
    }
    throw wrong("an object as '" + name + "'", value);
  }

  static List<String> names(String name, @Nullable Object value) {
    return list(name, value).stream().map(each -> text("a name in '" + name + "'", each)).toList();
  }

  static String text(String what, @Nullable Object value) {
    if (value instanceof String text && !text.isBlank()) {
      return text;
    }
    throw wrong(what, value);
  }

  static int integer(String name, @Nullable Object value) {
    if (value instanceof Number number) {
      try {
        return new BigDecimal(number.toString()).intValueExact();
      } catch (ArithmeticException e) {
        throw wrong("an integer as '" + name + "'", value);
      }
    }
    throw wrong("an integer as '" + name + "'", value);
  }

  static BigDecimal number(String name, @Nullable Object value) {
    if (value instanceof Number number) {
      return new BigDecimal(number.toString());
    }
    throw wrong("a number as '" + name + "'", value);
  }

  static Duration duration(String name, @Nullable Object value) {
    try {
      Duration duration = Duration.parse(String.valueOf(value));
      if (!duration.isNegative()) {
        return duration;
      }
    } catch (DateTimeException e) {
      // The fault below names the expected form.
    }
    throw wrong("a duration such as P3D as '" + name + "', 0 or more", value);
  }

  /** A duration, by the clock or of a calendar. */
  static Lapse lapse(String name, @Nullable Object value) {
    return value instanceof Map ? Lapse.of(value) : new Lapse(duration(name, value), null);
  }

  /** An instant, or the given moment plus a duration. */
  static Instant moment(
      String name, @Nullable Object value, Instant from, Map<String, Calendar> calendars) {
    String text = String.valueOf(value);
    if (value instanceof Map || text.startsWith("P")) {
      return lapse(name, value).after(from, calendars);
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw wrong(
          "a duration such as P3D, or an instant such as 2026-01-31T12:00:00Z, as '" + name + "'",
          value);
    }
  }

  private static IllegalArgumentException wrong(String expected, @Nullable Object value) {
    return new IllegalArgumentException(
        "Expected %s, but got %s".formatted(expected, Faults.shown(value)));
  }
}
