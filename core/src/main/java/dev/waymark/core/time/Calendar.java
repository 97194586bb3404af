package dev.waymark.core.time;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The working hours of people: hours for each day of the week in a zone, and holidays.
 *
 * <p>Working time is real time: an hour that clocks leave out is not worked, and one that comes
 * twice is worked twice.
 *
 * @param hours the spans of each weekday, in order; a day that is not there is free
 * @param holidays days without working time, whatever their weekday
 */
public record Calendar(ZoneId zone, Map<DayOfWeek, List<Span>> hours, Set<LocalDate> holidays) {

  /**
   * A piece of a day.
   *
   * @param to its end; midnight is the end of the day
   */
  public record Span(LocalTime from, LocalTime to) {

    private static final Pattern FORM =
        Pattern.compile("([0-9]{2}:[0-9]{2})\\s*-\\s*([0-9]{2}:[0-9]{2})");

    public Span {
      if (!to.equals(LocalTime.MIDNIGHT) && !from.isBefore(to)) {
        throw new IllegalArgumentException(
            "Expected working hours that end after they begin, but got %s to %s"
                .formatted(from, to));
      }
    }

    /**
     * Reads {@code 09:00-17:30}; {@code 24:00} is the end of the day.
     *
     * @throws IllegalArgumentException that names the expected form
     */
    public static Span parse(String text) {
      Matcher form = FORM.matcher(text);
      try {
        if (form.matches()) {
          String to = form.group(2).equals("24:00") ? "00:00" : form.group(2);
          return new Span(LocalTime.parse(form.group(1)), LocalTime.parse(to));
        }
      } catch (DateTimeException e) {
        // Reported below, as are texts of another form.
      }
      throw new IllegalArgumentException(
          "Expected working hours such as 09:00-17:30, but got '%s'".formatted(text));
    }

    /** The text from which this span can be read again. */
    @Override
    public String toString() {
      return from + "-" + (to.equals(LocalTime.MIDNIGHT) ? "24:00" : to);
    }

    boolean contains(LocalTime time) {
      return !time.isBefore(from) && (to.equals(LocalTime.MIDNIGHT) || time.isBefore(to));
    }

    boolean overlaps(Span later) {
      return to.equals(LocalTime.MIDNIGHT) || later.from.isBefore(to);
    }
  }

  /** A span on one day as instants; a change of clocks may make it shorter. */
  private record Stretch(Instant from, Instant to) {}

  public Calendar {
    requireNonNull(zone, "zone");
    if (holidays.size() > Limits.HOLIDAYS) {
      throw new IllegalArgumentException(
          "Expected at most %d holidays, but got %d".formatted(Limits.HOLIDAYS, holidays.size()));
    }
    Map<DayOfWeek, List<Span>> sorted = new EnumMap<>(DayOfWeek.class);
    hours.forEach((day, spans) -> sorted.put(day, checked(day, spans)));
    if (sorted.values().stream().allMatch(List::isEmpty)) {
      throw new IllegalArgumentException(
          "Expected working hours on at least one day of the week, but got none");
    }
    hours = Map.copyOf(sorted);
    holidays = Set.copyOf(holidays);
  }

  private static List<Span> checked(DayOfWeek day, List<Span> spans) {
    if (spans.size() > Limits.SPANS_PER_DAY) {
      throw new IllegalArgumentException(
          "Expected at most %d spans of working hours on %s, but got %d"
              .formatted(Limits.SPANS_PER_DAY, day, spans.size()));
    }
    List<Span> sorted = spans.stream().sorted(Comparator.comparing(Span::from)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).overlaps(sorted.get(i))) {
        throw new IllegalArgumentException(
            "Expected spans of working hours that do not overlap, but on %s got %s"
                .formatted(day, sorted));
      }
    }
    return sorted;
  }

  /** The form in a definition. */
  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> days = new LinkedHashMap<>();
    for (DayOfWeek day : DayOfWeek.values()) {
      List<Span> spans = hours.getOrDefault(day, List.of());
      if (!spans.isEmpty()) {
        days.put(day.name().toLowerCase(Locale.ROOT), spans.stream().map(Span::toString).toList());
      }
    }
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("zone", zone.getId());
    document.put("hours", days);
    if (!holidays.isEmpty()) {
      document.put("holidays", holidays.stream().sorted().map(LocalDate::toString).toList());
    }
    return document;
  }

  /** True if this moment is working time. */
  public boolean isOpenAt(Instant moment) {
    ZonedDateTime shown = moment.atZone(zone);
    return spans(shown.toLocalDate()).stream().anyMatch(s -> s.contains(shown.toLocalTime()));
  }

  /**
   * The moment at which so much working time has passed. A duration of zero is over at once, also
   * outside working hours.
   *
   * @throws IllegalArgumentException if the end is not found within {@link Limits#CALENDAR_DAYS}
   */
  public Instant plus(Instant start, Duration working) {
    if (working.isNegative()) {
      throw new IllegalArgumentException(
          "Expected a working time of 0 or more, but got " + working);
    }
    if (working.isZero()) {
      return start;
    }
    Duration left = working;
    Steady clocks = Steady.at(zone, start);
    LocalDate day = clocks.dayOf(start);
    for (int i = 0; i < Limits.CALENDAR_DAYS; i++) {
      for (Stretch stretch : stretches(day, clocks)) {
        Instant from = stretch.from().isAfter(start) ? stretch.from() : start;
        Duration open = Duration.between(from, stretch.to());
        if (open.compareTo(left) >= 0) {
          return from.plus(left);
        }
        if (!open.isNegative()) {
          left = left.minus(open);
        }
      }
      day = day.plusDays(1);
      if (clocks.changeBefore(day)) {
        Instant change = clocks.until();
        clocks = Steady.at(zone, change);
        day = clocks.dayOf(change);
      }
    }
    throw new IllegalArgumentException(
        "Expected %s of working time within %,d days of %s, but the calendar has less"
            .formatted(working, Limits.CALENDAR_DAYS, start));
  }

  /** The working time of a day while clocks are not changed. */
  private List<Stretch> stretches(LocalDate day, Steady clocks) {
    List<Stretch> stretches = new ArrayList<>();
    for (Span span : spans(day)) {
      Instant from = clocks.moment(day, span.from());
      LocalDate until = span.to().equals(LocalTime.MIDNIGHT) ? day.plusDays(1) : day;
      Instant to = clocks.moment(until, span.to());
      if (from.isBefore(to)) {
        stretches.add(new Stretch(from, to));
      }
    }
    return stretches;
  }

  private List<Span> spans(LocalDate day) {
    return holidays.contains(day) ? List.of() : hours.getOrDefault(day.getDayOfWeek(), List.of());
  }

  /** A time in which no clock of the zone is put forward or back. */
  private record Steady(ZoneOffset offset, Instant from, Instant until) {

    static Steady at(ZoneId zone, Instant moment) {
      ZoneRules rules = zone.getRules();
      ZoneOffsetTransition next = rules.nextTransition(moment);
      Instant until = next == null ? Instant.MAX : next.getInstant();
      return new Steady(rules.getOffset(moment), moment, until);
    }

    LocalDate dayOf(Instant moment) {
      return moment.atOffset(offset).toLocalDate();
    }

    boolean changeBefore(LocalDate day) {
      return !day.atStartOfDay().toInstant(offset).isBefore(until);
    }

    /** The moment at which clocks show this, or where this time begins or ends if they do not. */
    Instant moment(LocalDate day, LocalTime time) {
      Instant shown = day.atTime(time).toInstant(offset);
      return shown.isBefore(from) ? from : shown.isAfter(until) ? until : shown;
    }
  }
}
