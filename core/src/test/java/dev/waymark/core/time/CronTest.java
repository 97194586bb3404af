package dev.waymark.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {

  private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 9 * * 1-5      | 2026-01-01T09:00:00Z 2026-01-02T09:00:00Z 2026-01-05T09:00:00Z",
        "0 9 * * MON#3    | 2026-01-19T09:00:00Z 2026-02-16T09:00:00Z 2026-03-16T09:00:00Z",
        "0 9 * * 0        | 2026-01-04T09:00:00Z 2026-01-11T09:00:00Z 2026-01-18T09:00:00Z",
        "0 9 * * 7        | 2026-01-04T09:00:00Z 2026-01-11T09:00:00Z 2026-01-18T09:00:00Z",
        "0 0 L * *        | 2026-01-31T00:00:00Z 2026-02-28T00:00:00Z 2026-03-31T00:00:00Z",
        "0 0 LW * *       | 2026-01-30T00:00:00Z 2026-02-27T00:00:00Z 2026-03-31T00:00:00Z",
        "0 0 29 2 *       | 2028-02-29T00:00:00Z 2032-02-29T00:00:00Z 2036-02-29T00:00:00Z",
        "0 0 13 * FRI     | 2026-01-02T00:00:00Z 2026-01-09T00:00:00Z 2026-01-13T00:00:00Z",
        "0 0 28W * *      | 2026-01-28T00:00:00Z 2026-02-27T00:00:00Z 2026-03-27T00:00:00Z",
        "0 0 31W * *      | 2026-01-30T00:00:00Z 2026-03-31T00:00:00Z 2026-05-29T00:00:00Z",
        "0 0 30W * *      | 2026-01-30T00:00:00Z 2026-03-30T00:00:00Z 2026-04-30T00:00:00Z",
        "0 0 29W 2 *      | 2028-02-29T00:00:00Z 2032-02-27T00:00:00Z 2036-02-29T00:00:00Z",
        "30 0 31W 3,4 MON | 2026-03-02T00:30:00Z 2026-03-09T00:30:00Z 2026-03-16T00:30:00Z",
        "37 2 31W 9 0#4   | 2026-09-27T02:37:00Z 2027-09-26T02:37:00Z 2028-09-24T02:37:00Z",
        "0 0 31W 2,3 1#1  | 2026-02-02T00:00:00Z 2026-03-02T00:00:00Z 2026-03-31T00:00:00Z",
        "*/30 8-9 * * *   | 2026-01-01T08:00:00Z 2026-01-01T08:30:00Z 2026-01-01T09:00:00Z",
        "*/20 * * * * *   | 2026-01-01T00:00:20Z 2026-01-01T00:00:40Z 2026-01-01T00:01:00Z",
      })
  void an_expression_means_what_crontabs_mean(String text, String expected) {
    Cron cron = Cron.parse(text.trim());

    assertThat(first(cron, 3))
        .containsExactlyElementsOf(
            List.of(expected.trim().split(" ")).stream().map(Instant::parse).toList());
  }

  private static List<Instant> first(Cron cron, int count) {
    List<Instant> found = new ArrayList<>();
    Instant at = NEW_YEAR;
    for (int i = 0; i < count; i++) {
      at = cron.next(at, ZoneOffset.UTC);
      found.add(at);
    }
    return found;
  }

  @Test
  void the_moment_itself_is_not_after_itself_and_a_fraction_of_a_second_is() {
    Cron cron = Cron.parse("0 9 * * *");
    Instant nine = Instant.parse("2026-01-01T09:00:00Z");

    assertThat(cron.next(nine, ZoneOffset.UTC)).isEqualTo(nine.plus(Duration.ofDays(1)));
    assertThat(cron.next(nine.minusNanos(1), ZoneOffset.UTC)).isEqualTo(nine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * * *",
        "61 * * * *",
        "*/0 * * * *",
        "a b c d e",
        "0 22-2 * * *",
        "0 24 * * *",
        "0 0 0 * *",
        "0 9 * * 8",
        "@daily",
        "0 9 ? * MON"
      })
  void what_is_no_expression_is_refused_with_what_was_expected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cron.parse(text))
        .withMessageStartingWith("Expected a cron expression")
        .withMessageContaining("but got '" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0 0 31 4 *", "0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31W 4 *", "0 0 30W 2 *"})
  void an_expression_that_never_comes_true_is_refused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cron.parse(text))
        .withMessageContaining("'%s' never does", text);
  }

  @Test
  void a_day_that_a_zone_left_out_is_had_at_the_first_moment_after_it() {
    // Samoa went from 29 to 31 December 2011.
    Cron cron = Cron.parse("0 12 * * *");
    ZoneId apia = ZoneId.of("Pacific/Apia");
    Instant noon = Instant.parse("2011-12-29T22:00:00Z");

    Instant next = cron.next(noon, apia);

    assertThat(next).isEqualTo(Instant.parse("2011-12-30T10:00:00Z"));
    assertThat(cron.next(next, apia)).isEqualTo(Instant.parse("2011-12-30T22:00:00Z"));
  }

  @Test
  void every_second_of_a_fixed_hour_that_comes_twice_is_had_in_the_first() {
    Cron cron = Cron.parse("* * 2 * * *");
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    Instant last = Instant.parse("2026-10-25T00:59:59Z");

    assertThat(cron.next(last, berlin)).isEqualTo(Instant.parse("2026-10-26T01:00:00Z"));
  }

  @Test
  void the_latest_is_found_however_many_lie_between() {
    Recurrence seconds = new Recurrence.OnCron(Cron.parse("* * * * * *"), ZoneOffset.UTC);
    Recurrence yearly = new Recurrence.OnCron(Cron.parse("0 0 1 1 *"), ZoneOffset.UTC);
    Instant now = NEW_YEAR.plusMillis(86_399_999L);

    assertThat(seconds.latest(Instant.EPOCH, now)).isEqualTo("2026-01-01T23:59:59Z");
    assertThat(yearly.latest(Instant.EPOCH, now)).isEqualTo(NEW_YEAR);
    assertThat(yearly.latest(NEW_YEAR, now)).isNull();
  }

  @Test
  void an_interval_keeps_its_pace_from_where_it_began() {
    Recurrence every = new Recurrence.Every(Duration.ofMinutes(90), NEW_YEAR);

    assertThat(every.next(NEW_YEAR.minusSeconds(1))).isEqualTo("2026-01-01T01:30:00Z");
    assertThat(every.next(NEW_YEAR)).isEqualTo("2026-01-01T01:30:00Z");
    assertThat(every.next(Instant.parse("2026-01-01T01:30:00Z"))).isEqualTo("2026-01-01T03:00:00Z");
    assertThat(every.latest(NEW_YEAR, Instant.parse("2026-01-01T04:00:00Z")))
        .isEqualTo("2026-01-01T03:00:00Z");
    assertThat(every.latest(NEW_YEAR, NEW_YEAR.plusSeconds(5))).isNull();
  }

  /** Expressions with W, L and # at random: parse refuses or next is total, ordered and in time. */
  @Test
  void whatever_was_accepted_has_a_next_and_never_throws() {
    Random random = new Random(3);
    int accepted = 0;
    for (int i = 0; i < 200; i++) {
      String text = expression(random);
      Cron cron;
      try {
        cron = Cron.parse(text);
      } catch (IllegalArgumentException e) {
        continue;
      }
      accepted++;
      Instant at = NEW_YEAR;
      for (int k = 0; k < 30; k++) {
        Instant next = cron.next(at, ZoneOffset.UTC);
        assertThat(next).as(text + " after " + at).isNotNull().isAfter(at);
        at = next;
      }
    }
    assertThat(accepted).isGreaterThan(120);
  }

  private static String expression(Random random) {
    int number = random.nextInt(31);
    String day =
        switch (random.nextInt(7)) {
          case 0 -> number + 1 + "W";
          case 1 -> "L";
          case 2 -> "LW";
          case 3 -> "L-" + number;
          case 4 -> String.valueOf(number + 1);
          case 5 -> "15W," + (number + 1) + "W";
          default -> "*";
        };
    String weekday =
        switch (random.nextInt(4)) {
          case 0 -> random.nextInt(8) + "#" + (1 + random.nextInt(5));
          case 1 -> random.nextInt(8) + "L";
          case 2 -> String.valueOf(random.nextInt(8));
          default -> "*";
        };
    String month = random.nextBoolean() ? "*" : String.valueOf(1 + random.nextInt(12));
    return "%d %d %s %s %s".formatted(random.nextInt(60), random.nextInt(24), day, month, weekday);
  }
}
