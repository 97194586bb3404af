package dev.waymark.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.time.Calendar.Span;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final List<Span> DAY = List.of(span("09:00", "12:00"), span("13:00", "18:00"));

  /** Monday to Friday, eight hours with a break; the first of May is free. */
  private static final Calendar OFFICE =
      new Calendar(
          BERLIN,
          Map.of(
              DayOfWeek.MONDAY, DAY,
              DayOfWeek.TUESDAY, DAY,
              DayOfWeek.WEDNESDAY, DAY,
              DayOfWeek.THURSDAY, DAY,
              DayOfWeek.FRIDAY, DAY),
          Set.of(LocalDate.parse("2026-05-01")));

  private static Span span(String from, String to) {
    return new Span(LocalTime.parse(from), LocalTime.parse(to));
  }

  /** All in Berlin's summer, two hours ahead of UTC; 30 April 2026 is a Thursday. */
  @ParameterizedTest
  @CsvSource({
    "2026-04-29T07:00:00Z, PT1H,  2026-04-29T08:00:00Z", // Wednesday at nine
    "2026-04-29T09:30:00Z, PT1H,  2026-04-29T11:30:00Z", // over the break
    "2026-04-29T09:00:00Z, PT1H,  2026-04-29T10:00:00Z", // to its very beginning
    "2026-04-30T15:00:00Z, PT2H,  2026-05-04T08:00:00Z", // over a holiday and a weekend
    "2026-05-02T10:00:00Z, PT8H,  2026-05-04T16:00:00Z", // from a Saturday
    "2026-05-04T07:00:00Z, PT40H, 2026-05-08T16:00:00Z", // a week of work
    "2026-05-02T10:00:00Z, PT0S,  2026-05-02T10:00:00Z",
  })
  void working_time_passes_only_while_somebody_works(Instant from, Duration work, Instant end) {
    assertThat(OFFICE.plus(from, work)).isEqualTo(end);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-04-30T07:00:00Z, true",
    "2026-04-30T06:59:59Z, false",
    "2026-04-30T10:00:00Z, false",
    "2026-04-30T15:59:59Z, true",
    "2026-05-01T08:00:00Z, false",
    "2026-05-02T08:00:00Z, false"
  })
  void a_calendar_is_open_from_the_first_moment_of_its_hours_to_before_the_last(
      Instant moment, boolean open) {
    assertThat(OFFICE.isOpenAt(moment)).isEqualTo(open);
  }

  /** On a day with these hours, from the beginning of that day in its zone. */
  @ParameterizedTest
  @CsvSource({
    // The hour from 02:00 to 03:00 comes twice, and belongs to two spans each time.
    "Europe/Berlin, 2026-10-25, 02:00-02:30 02:30-14:45, PT10H45M, 2026-10-25T10:45:00Z",
    "Europe/Berlin, 2026-10-25, 01:00-02:00 02:00-20:15, PT10H,    2026-10-25T09:00:00Z",
    "Europe/Berlin, 2026-10-25, 01:00-02:00,             PT1H,     2026-10-25T00:00:00Z",
    // Half of it is worked twice: at 02:30 clocks show 02:30 for the first time.
    "Europe/Berlin, 2026-10-25, 02:30-04:00,             PT1H,     2026-10-25T02:00:00Z",
    // It does not come at all.
    "Europe/Berlin, 2026-03-29, 02:15-02:45 03:00-05:00, PT1H,     2026-03-29T02:00:00Z",
    // It is the last of the day that comes twice.
    "Asia/Beirut,   2026-10-24, 22:00-24:00,             PT3H,     2026-10-24T22:00:00Z",
    // The time that comes twice reaches from one day into the next.
    "America/St_Johns, 2006-10-28, 23:00-24:00,          PT90M,    2006-10-29T03:01:00Z",
  })
  void an_hour_that_comes_twice_counts_twice_if_it_is_working_time(
      ZoneId zone, LocalDate day, String spans, Duration work, Instant end) {
    List<Span> hours = Stream.of(spans.split(" ")).map(Span::parse).toList();
    Calendar calendar = new Calendar(zone, Map.of(day.getDayOfWeek(), hours), Set.of());

    assertThat(calendar.plus(day.atStartOfDay(zone).toInstant(), work)).isEqualTo(end);
    assertThat(calendar.isOpenAt(end.minusNanos(1))).isTrue();
  }

  @Test
  void a_night_shift_works_the_hour_that_comes_twice_and_not_the_one_that_is_left_out() {
    List<Span> nights = List.of(new Span(LocalTime.MIDNIGHT, LocalTime.parse("06:00")));
    Calendar shift = new Calendar(BERLIN, Map.of(DayOfWeek.SUNDAY, nights), Set.of());
    Instant autumn = Instant.parse("2026-10-24T22:00:00Z");
    Instant spring = Instant.parse("2026-03-28T23:00:00Z");

    assertThat(shift.plus(autumn, Duration.ofHours(7))).isEqualTo("2026-10-25T05:00:00Z");
    assertThat(shift.plus(spring, Duration.ofHours(5))).isEqualTo("2026-03-29T04:00:00Z");
  }

  @Test
  void a_day_may_be_worked_to_its_end() {
    Calendar always =
        new Calendar(
            BERLIN,
            Map.of(
                DayOfWeek.MONDAY, List.of(new Span(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT)),
                DayOfWeek.TUESDAY, List.of(new Span(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT))),
            Set.of());
    Instant monday = Instant.parse("2026-05-03T22:00:00Z");

    assertThat(always.plus(monday, Duration.ofHours(30))).isEqualTo("2026-05-05T04:00:00Z");
  }

  @Test
  void hours_that_make_no_sense_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> span("12:00", "09:00"))
        .withMessage("Expected working hours that end after they begin, but got 12:00 to 09:00");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Calendar(
                    BERLIN,
                    Map.of(
                        DayOfWeek.MONDAY, List.of(span("09:00", "12:00"), span("11:00", "13:00"))),
                    Set.of()))
        .withMessageContaining("that do not overlap, but on MONDAY got");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Calendar(BERLIN, Map.of(), Set.of()))
        .withMessageContaining("on at least one day of the week");
  }

  @Test
  void a_due_value_is_a_duration_or_working_time_of_a_named_calendar() {
    Instant thursday = Instant.parse("2026-04-30T15:00:00Z");
    Map<String, Calendar> calendars = Map.of("office", OFFICE);
    Map<String, Object> working = Map.of("working", "PT2H", "calendar", "office");

    assertThat(Due.after("P3D", thursday, calendars)).isEqualTo("2026-05-03T15:00:00Z");
    assertThat(Due.after(working, thursday, calendars)).isEqualTo("2026-05-04T08:00:00Z");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Due.after(working, thursday, Map.of()))
        .withMessage("Expected a calendar of the definition, one of [], but got 'office'");
  }
}
