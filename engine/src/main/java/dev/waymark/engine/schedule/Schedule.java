package dev.waymark.engine.schedule;

import static dev.waymark.core.Arguments.given;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.time.Cron;
import dev.waymark.core.time.Missed;
import dev.waymark.core.time.Recurrence;
import dev.waymark.engine.StartRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.regex.Pattern;

/**
 * A definition that is started again and again.
 *
 * <p>An occurrence of a name starts once, ever: on any node, after any crash, and also if the
 * schedule is deleted and made again.
 *
 * @param name its name, unique in its tenant
 * @param start the definition that is started, with its input; a run without a correlation id of
 *     its own gets the occurrence as one
 * @param missed the rule for occurrences that passed while no node was up
 */
public record Schedule(
    String name, Recurrence recurrence, StartRequest start, Overlap overlap, Missed missed) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  public Schedule {
    given("name, recurrence, start, overlap, missed", name, recurrence, start, overlap, missed);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Expected the name of a schedule of letters, digits, '.', '_', '-', at most 128"
              + " characters, but got '%s'".formatted(name));
    }
    requireNonNull(recurrence, "recurrence");
    requireNonNull(start, "start");
    if (Json.holdsPayload(start.input())) {
      throw new IllegalArgumentException(
          "Expected the input of schedule '%s' without payloads, since no run uses them until it starts: let the run fetch its content and put it"
              .formatted(name));
    }
    requireNonNull(overlap, "overlap");
    requireNonNull(missed, "missed");
  }

  /**
   * On a cron expression, by the wall clock of a zone.
   *
   * @throws IllegalArgumentException if it is no such expression, or never comes true
   */
  public static Schedule cron(String name, String expression, ZoneId zone, StartRequest start) {
    given("name, expression, zone, start", name, expression, zone, start);
    return of(name, new Recurrence.OnCron(Cron.parse(expression), zone), start);
  }

  /** A fixed interval, counted from the beginning of 1970. */
  public static Schedule every(String name, Duration interval, StartRequest start) {
    return every(name, interval, Instant.EPOCH, start);
  }

  /** A fixed interval, counted from a moment. */
  public static Schedule every(String name, Duration interval, Instant from, StartRequest start) {
    given("name, interval, from, start", name, interval, from, start);
    return of(name, new Recurrence.Every(interval, from), start);
  }

  private static Schedule of(String name, Recurrence recurrence, StartRequest start) {
    return new Schedule(name, recurrence, start, Overlap.SKIP, Missed.SKIP);
  }

  public Schedule overlap(Overlap policy) {
    return new Schedule(name, recurrence, start, policy, missed);
  }

  public Schedule missed(Missed policy) {
    return new Schedule(name, recurrence, start, overlap, policy);
  }
}
