package dev.waymark.core.expression;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Points in time and spans of time. They exist only while an expression is evaluated; in results
 * they are texts in the form of ISO 8601, as JSON has no times.
 */
final class Times {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");
  private static final int MAX_CHARS = 64;
  private static final int PARSE_WORK = 30;

  private Times() {}

  static Instant timestamp(Budget budget, @Nullable Object value) {
    budget.work(PARSE_WORK);
    if (value instanceof Instant instant) {
      return instant;
    }
    if (value instanceof Long seconds) {
      return inRange(() -> Instant.ofEpochSecond(seconds));
    }
    String text = Values.text("timestamp", value);
    try {
      if (text.length() <= MAX_CHARS) {
        Instant parsed = OffsetDateTime.parse(text).toInstant();
        return inRange(() -> parsed);
      }
    } catch (DateTimeException e) {
      // Told below.
    }
    throw new Trouble(
        "Expected a time such as 2026-11-01T08:00:00Z, but got %s", Values.shown(text));
  }

  /** Takes both {@code PT1H30M} as in definitions and {@code 1h30m} as in CEL. */
  static Duration duration(Budget budget, @Nullable Object value) {
    budget.work(PARSE_WORK);
    if (value instanceof Duration duration) {
      return duration;
    }
    String text = Values.text("duration", value);
    try {
      if (text.length() <= MAX_CHARS) {
        return text.contains("P") ? Duration.parse(text) : ofUnits(text);
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      // Told below.
    }
    throw new Trouble(
        "Expected a duration such as PT1H30M or 1h30m, but got %s", Values.shown(text));
  }

  static Instant plus(Instant time, Duration span) {
    return inRange(() -> time.plus(span));
  }

  static Duration plus(Duration left, Duration right) {
    try {
      return left.plus(right);
    } catch (ArithmeticException e) {
      throw new Trouble(
          "Expected a shorter duration than %s and %s together",
          Values.shown(left), Values.shown(right));
    }
  }

  /** A part of a time, such as its hour, as a clock shows it in the given zone. */
  static long part(
      Budget budget,
      String function,
      @Nullable Object[] arguments,
      ToLongFunction<ZonedDateTime> part) {
    budget.work(PARSE_WORK);
    if (!(arguments[0] instanceof Instant time)) {
      throw new Trouble(
          "Expected a timestamp for '%s', but got %s", function, Values.shown(arguments[0]));
    }
    String zone = arguments.length > 1 ? Values.text(function, arguments[1]) : "UTC";
    try {
      if (zone.length() <= MAX_CHARS) {
        return part.applyAsLong(time.atZone(ZoneId.of(zone)));
      }
    } catch (DateTimeException e) {
      // Told below.
    }
    throw new Trouble("Expected a time zone such as Europe/Berlin, but got %s", Values.shown(zone));
  }

  private static Duration ofUnits(String text) {
    boolean negative = text.startsWith("-");
    Duration sum = Duration.ZERO;
    int at = negative ? 1 : 0;
    if (at == text.length()) {
      throw new NumberFormatException("no digits");
    }
    while (at < text.length()) {
      int unit = at;
      while (unit < text.length() && "0123456789.".indexOf(text.charAt(unit)) >= 0) {
        unit++;
      }
      int end = unit;
      while (end < text.length() && Character.isLetter(text.charAt(end))) {
        end++;
      }
      BigDecimal count = new BigDecimal(text.substring(at, unit));
      long nanos = nanosOf(text.substring(unit, end));
      sum = sum.plus(Duration.ofNanos(count.multiply(BigDecimal.valueOf(nanos)).longValue()));
      at = end;
    }
    return negative ? sum.negated() : sum;
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "h" -> 3_600_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "s" -> 1_000_000_000L;
      case "ms" -> 1_000_000L;
      case "us" -> 1_000L;
      case "ns" -> 1L;
      default -> throw new NumberFormatException("unit " + unit);
    };
  }

  private interface Computation {
    Instant run();
  }

  private static Instant inRange(Computation computation) {
    try {
      Instant time = computation.run();
      if (!time.isBefore(FIRST) && !time.isAfter(LAST)) {
        return time;
      }
    } catch (DateTimeException | ArithmeticException e) {
      // Told below.
    }
    throw new Trouble("Expected a time between the years 1 and 9999, but it lies outside");
  }
}
