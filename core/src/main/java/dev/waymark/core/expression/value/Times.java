package dev.waymark.core.expression.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Points in time and spans of time. They exist only while an expression is evaluated; in results
 * they are texts in the form of ISO 8601, as JSON has no times.
 */
final class Times {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");
  private static final Pattern OFFSET = Pattern.compile("[0-9]{2}:[0-9]{2}");
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

  /** Towards zero, as CEL counts them; Java's own count goes down. */
  static long seconds(Duration span) {
    return span.isNegative() && span.toNanosPart() > 0 ? span.toSeconds() + 1 : span.toSeconds();
  }

  /** The nanoseconds of the last second, with the sign of the whole. */
  static long milliseconds(Duration span) {
    int nanos = span.toNanosPart();
    return (span.isNegative() && nanos > 0 ? nanos - 1_000_000_000 : nanos) / 1_000_000;
  }

  static Duration negated(Duration span) {
    try {
      return span.negated();
    } catch (ArithmeticException e) {
      throw new Trouble("Expected a shorter duration to negate, but got %s", Values.shown(span));
    }
  }

  /**
   * A part of a time, such as its hour, as a clock shows it in the given zone; or of a duration,
   * all of whose hours are counted.
   */
  static long part(
      Budget budget,
      String function,
      @Nullable Object[] arguments,
      ToLongFunction<ZonedDateTime> part,
      @Nullable ToLongFunction<Duration> ofSpan) {
    budget.work(PARSE_WORK);
    if (ofSpan != null && arguments.length == 1 && arguments[0] instanceof Duration span) {
      return ofSpan.applyAsLong(span);
    }
    if (!(arguments[0] instanceof Instant time)) {
      throw new Trouble(
          "Expected a timestamp for '%s', but got %s", function, Values.shown(arguments[0]));
    }
    String zone = arguments.length > 1 ? Values.text(function, arguments[1]) : "UTC";
    try {
      if (zone.length() <= MAX_CHARS) {
        return part.applyAsLong(time.atZone(zone(zone)));
      }
    } catch (DateTimeException e) {
      // Told below.
    }
    throw new Trouble("Expected a time zone such as Europe/Berlin, but got %s", Values.shown(zone));
  }

  /** CEL leaves the sign of an offset away where it is a plus. */
  private static ZoneId zone(String text) {
    return ZoneId.of(OFFSET.matcher(text).matches() ? "+" + text : text);
  }

  private static Duration ofUnits(String text) {
    boolean negative = text.startsWith("-");
    String units = negative || text.startsWith("+") ? text.substring(1) : text;
    if (units.equals("0")) {
      return Duration.ZERO;
    }
    if (units.isEmpty()) {
      throw new NumberFormatException("no digits");
    }
    BigDecimal nanos = BigDecimal.ZERO;
    int at = 0;
    while (at < units.length()) {
      int unit = at;
      while (unit < units.length() && "0123456789.".indexOf(units.charAt(unit)) >= 0) {
        unit++;
      }
      int end = unit;
      while (end < units.length() && Character.isLetter(units.charAt(end))) {
        end++;
      }
      BigDecimal count = new BigDecimal(units.substring(at, unit));
      nanos = nanos.add(count.multiply(BigDecimal.valueOf(nanosOf(units.substring(unit, end)))));
      at = end;
    }
    return ofNanos((negative ? nanos.negate() : nanos).toBigInteger());
  }

  /** A long of nanoseconds would end after 292 years. */
  private static Duration ofNanos(BigInteger nanos) {
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(1_000_000_000L));
    return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "h" -> 3_600_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "s" -> 1_000_000_000L;
      case "ms" -> 1_000_000L;
      case "us", "\u00B5s", "\u03BCs" -> 1_000L;
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
