package dev.waymark.core.time;

import dev.waymark.core.Limits;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The moment at which a wait is due, in the form of definitions: {@code P3D} for a time from now,
 * or {@code { working: PT16H, calendar: office }} for working time of a calendar of the definition.
 *
 * <p>Timers, time-outs and the due dates of tasks are all read here, so that the same text always
 * means the same.
 */
public final class Due {

  public static final String WORKING = "working";
  public static final String CALENDAR = "calendar";

  private Due() {}

  /**
   * Turns a due value of an activity's evaluated {@code with} into the moment that it means.
   *
   * @param value a text with a duration, or an object that names working time and calendar
   * @param calendars those of the definition, by name
   * @throws IllegalArgumentException saying what was expected, if it makes no sense
   */
  public static Instant after(
      @Nullable Object value, Instant now, Map<String, Calendar> calendars) {
    return Lapse.of(value).after(now, calendars);
  }

  /** The name of the calendar that a due value needs; absent if it needs none. */
  public static @Nullable String calendarOf(@Nullable Object value) {
    return value instanceof Map<?, ?> object && object.get(CALENDAR) instanceof String name
        ? name
        : null;
  }

  /** A duration of 0 or more, as definitions write it. */
  public static Duration duration(@Nullable Object value) {
    try {
      Duration duration = Duration.parse(String.valueOf(value));
      if (duration.isNegative() || duration.compareTo(Limits.DURATION) > 0) {
        throw new IllegalArgumentException(
            "Expected a duration of 0 or more, up to %s, but got '%s'"
                .formatted(Limits.DURATION, value));
      }
      return duration;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "Expected an ISO-8601 duration such as PT30M, but got '%s'".formatted(value), e);
    }
  }
}
