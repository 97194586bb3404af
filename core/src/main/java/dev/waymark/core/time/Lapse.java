package dev.waymark.core.time;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A duration: by the clock, or in working time of a calendar of the definition.
 *
 * @param calendar its name; absent for time by the clock
 */
public record Lapse(Duration time, @Nullable String calendar) {

  public Lapse {
    requireNonNull(time, "time");
  }

  /**
   * Reads the value of a definition: {@code P3D}, or {@code { working: PT16H, calendar: office }}.
   *
   * @throws IllegalArgumentException that names the expected form, if the value is no duration
   */
  public static Lapse of(@Nullable Object value) {
    return value instanceof Map<?, ?> object
        ? new Lapse(Due.duration(object.get(Due.WORKING)), String.valueOf(object.get(Due.CALENDAR)))
        : new Lapse(Due.duration(value), null);
  }

  /**
   * The moment at which it is over.
   *
   * @param calendars those of the definition, by name
   * @throws IllegalArgumentException if its calendar is not there, or the moment is too far away
   */
  public Instant after(Instant begun, Map<String, Calendar> calendars) {
    Instant over = calendar == null ? begun.plus(time) : worked(calendar, begun, calendars);
    if (over.isAfter(Limits.FARTHEST)) {
      throw new IllegalArgumentException(
          "Expected a due time up to %s, but got %s".formatted(Limits.FARTHEST, over));
    }
    return over;
  }

  private Instant worked(String name, Instant begun, Map<String, Calendar> calendars) {
    Calendar open = calendars.get(name);
    if (open == null) {
      throw new IllegalArgumentException(
          "Expected a calendar of the definition, one of %s, but got '%s'"
              .formatted(calendars.keySet(), name));
    }
    return open.plus(begun, time);
  }

  /** The same; or by the clock, where a run has moved to a version without that calendar. */
  public Lapse knownTo(Map<String, Calendar> calendars) {
    return calendar == null || calendars.containsKey(calendar) ? this : new Lapse(time, null);
  }

  /** The form in a definition. */
  @Override
  public String toString() {
    return calendar == null
        ? time.toString()
        : "{ working: %s, calendar: %s }".formatted(time, calendar);
  }
}
