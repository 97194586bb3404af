package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Timers that count the working time of a calendar. */
final class CalendarTimersTest {

  /** The play begins on a Monday at ten in Berlin. */
  private static final String OFFICE =
      """
      waymark: 1
      key: play
      calendars:
        office:
          zone: Europe/Berlin
          hours:
            monday: [09:00-12:00, 13:00-18:00]
            tuesday: [09:00-18:00]
            thursday: [09:00-18:00]
          holidays: [2026-01-13]
      start: first
      activities:
      """;

  @Test
  void a_duration_may_be_working_time_of_a_calendar() {
    Play play =
        new Play(
            OFFICE
                + """
                  first:
                    type: timer
                    with: { after: { working: PT8H, calendar: "${ 'off' + 'ice' }" } }
                    on: { timeout: { after: { working: PT3H, calendar: office }, to: late, interrupt: false } }
                    next: second
                  late: { type: end }
                  second:
                    type: race
                    with: { waits: { soon: { after: { working: PT1H, calendar: office } } } }
                """);

    play.start(Map.of());
    assertThat(play.live().bookmarks().values().stream().map(b -> b.due()))
        .containsExactlyInAnyOrder(
            Instant.parse("2026-01-15T09:00:00Z"), Instant.parse("2026-01-12T13:00:00Z"));

    play.pass(Duration.ofDays(3));
    assertThat(play.bookmark("soon").due()).isEqualTo("2026-01-15T10:00:00Z");
  }

  @Test
  void a_calendar_that_makes_no_sense_is_refused_with_every_fault() {
    String text =
        """
        waymark: 1
        key: play
        calendars:
          one: { zone: Mars, hours: { monday: [9-5], funday: [] }, holidays: [Christmas] }
          two: { zone: UTC, hours: { monday: [12:00-11:00] } }
          three: { zone: UTC, hours: {} }
        start: t
        activities:
          t: { type: timer, with: { after: { working: PT1H, calendar: tow } } }
        """;

    assertThat(catchThrowableOfType(InvalidDefinition.class, () -> Play.parse(text)).getMessage())
        .contains(
            "/calendars/one/zone",
            "/calendars/one/hours/monday/0",
            "/calendars/one/hours/funday",
            "/calendars/one/holidays/0",
            "working hours that end after they begin",
            "on at least one day of the week",
            "did you mean 'two'?");
  }
}
