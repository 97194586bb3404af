package dev.waymark.core.time;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.waymark.core.Limits;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression: minute, hour, day of month, month, day of week, and optionally seconds before
 * them. Where both days are restricted, either is enough, as in every crontab; {@code L}, {@code W}
 * and {@code #} are understood. A day that a month does not have, such as {@code 31W} in April,
 * does not occur in that month.
 *
 * <p>The rules for changes of clocks are our own, because libraries lose a daily job in spring or
 * run it twice in autumn. The expression gives local times, and each becomes an instant by one
 * rule:
 *
 * <ul>
 *   <li>If its hours are fixed ({@code 30 2 * * *}), a time that does not exist is the first
 *       instant after the gap, and a time that comes twice is the first of the two. Several that
 *       fall into one gap are one occurrence.
 *   <li>If it goes through the hours ({@code *} or {@code *}{@code /n} as the hour), it follows the
 *       local clock: no occurrence in a gap, and both hours of an overlap.
 * </ul>
 *
 * <p>Two expressions are equal if their texts are.
 */
public final class Cron {

  private static final int FIELDS = 5;
  private static final CronParser MINUTES = new CronParser(fields(false));
  private static final CronParser SECONDS = new CronParser(fields(true));

  /**
   * The moment from which an expression is tried out: one that has no occurrence after it is
   * impossible.
   */
  private static final Instant LONG_AGO = Instant.EPOCH;

  private final String text;
  private final ExecutionTime times;
  private final @Nullable MonthByMonth months;
  private final boolean throughHours;

  private Cron(
      String text, ExecutionTime times, @Nullable MonthByMonth months, boolean throughHours) {
    this.text = text;
    this.times = times;
    this.months = months;
    this.throughHours = throughHours;
  }

  private static CronDefinition fields(boolean seconds) {
    CronDefinitionBuilder builder = CronDefinitionBuilder.defineCron();
    if (seconds) {
      builder = builder.withSeconds().withStrictRange().and();
    }
    // Without '?', the library takes either day where both are restricted.
    return builder
        .withMinutes()
        .withStrictRange()
        .and()
        .withHours()
        .withStrictRange()
        .and()
        .withDayOfMonth()
        .supportsL()
        .supportsW()
        .supportsLW()
        .withStrictRange()
        .and()
        .withMonth()
        .withStrictRange()
        .and()
        .withDayOfWeek()
        .withValidRange(0, 7)
        .withMondayDoWValue(1)
        .withIntMapping(7, 0)
        .supportsHash()
        .supportsL()
        .withStrictRange()
        .and()
        .instance();
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException that names the expected form, if the text is no expression or
   *     never comes true
   */
  public static Cron parse(String text) {
    String[] parts = text.trim().split("\\s+", FIELDS + 2);
    if (text.length() > Limits.CRON_CHARS || parts.length < FIELDS || parts.length > FIELDS + 1) {
      throw new IllegalArgumentException(
          "Expected a cron expression of 5 fields (minute, hour, day of month, month, day of week)"
              + " or 6 with seconds first, in at most %d characters, but got %s"
                  .formatted(Limits.CRON_CHARS, shown(text)));
    }
    boolean seconds = parts.length > FIELDS;
    int hour = seconds ? 2 : 1;
    List<String> fields = List.of(parts);
    Cron cron;
    try {
      ExecutionTime times = times(fields);
      MonthByMonth months =
          MonthByMonth.isNeededFor(fields.get(hour + 1))
              ? new MonthByMonth(fields, hour + 1, Cron::times)
              : null;
      cron = new Cron(text, times, months, fields.get(hour).startsWith("*"));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "Expected a cron expression such as '0 9 * * 1-5', but got %s: %s"
              .formatted(shown(text), reason(e)),
          e);
    }
    if (cron.next(LONG_AGO, ZoneOffset.UTC) == null) {
      throw new IllegalArgumentException(
          "Expected a cron expression that comes true one day, but %s never does"
              .formatted(shown(text)));
    }
    return cron;
  }

  private static ExecutionTime times(List<String> fields) {
    CronParser parser = fields.size() > FIELDS ? SECONDS : MINUTES;
    return ExecutionTime.forCron(parser.parse(String.join(" ", fields)));
  }

  private static String shown(String text) {
    String cut = text.length() > Limits.CRON_CHARS ? text.substring(0, 40) + "…" : text;
    return "'" + cut + "'";
  }

  private static String reason(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return message.replace("Failed to parse cron expression. ", "");
  }

  /** The text that it was read from. */
  public String text() {
    return text;
  }

  /**
   * The first occurrence after a moment, that moment excluded.
   *
   * @return absent if there is none any more
   */
  public @Nullable Instant next(Instant after, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    return throughHours ? nextOnTheWall(after, rules) : nextFixed(after, rules);
  }

  /**
   * Local times become instants in the same order, so the first that becomes a later instant is the
   * answer. A local time that comes twice has occurred already if the first of the two is over.
   */
  private @Nullable Instant nextFixed(Instant after, ZoneRules rules) {
    LocalDateTime wall = LocalDateTime.ofInstant(after, rules.getOffset(after));
    for (int i = 0; i < Limits.CRON_TRANSITIONS; i++) {
      wall = nextWall(wall);
      if (wall == null) {
        return null;
      }
      ZoneOffsetTransition change = rules.getTransition(wall);
      Instant found =
          change != null && change.isGap()
              ? change.getInstant()
              : wall.toInstant(rules.getValidOffsets(wall).get(0));
      if (found.isAfter(after)) {
        return found;
      }
      if (change != null && change.isOverlap()) {
        // The rest of the overlap has no new occurrence.
        wall = change.getDateTimeBefore().minusSeconds(1);
      }
    }
    return null;
  }

  /**
   * Between two changes of the offset the wall clock is a clock; the search goes piece by piece.
   */
  private @Nullable Instant nextOnTheWall(Instant after, ZoneRules rules) {
    Instant from = after;
    for (int i = 0; i < Limits.CRON_TRANSITIONS; i++) {
      ZoneOffset offset = rules.getOffset(from);
      LocalDateTime wall = nextWall(LocalDateTime.ofInstant(from, offset));
      if (wall == null) {
        return null;
      }
      Instant found = wall.toInstant(offset);
      ZoneOffsetTransition change = rules.nextTransition(from);
      if (change == null || found.isBefore(change.getInstant())) {
        return found;
      }
      // The first moment of the new offset may be an occurrence itself.
      LocalDateTime first = nextWall(change.getDateTimeAfter().minusSeconds(1));
      if (change.getDateTimeAfter().equals(first)) {
        return change.getInstant();
      }
      from = change.getInstant();
    }
    return null;
  }

  /** The next time on the wall, whatever the zone: as if all clocks of the world were UTC's. */
  private @Nullable LocalDateTime nextWall(LocalDateTime wall) {
    ZonedDateTime from = wall.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC);
    ZonedDateTime found =
        months == null ? times.nextExecution(from).orElse(null) : months.next(from);
    return found == null || found.toInstant().isAfter(Limits.FARTHEST)
        ? null
        : found.toLocalDateTime();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cron cron && text.equals(cron.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
