package dev.waymark.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the page of schedules says of {@code SKIP}: of those that passed one happens at most. */
final class MissedSkipTest {

  private static final Instant NOON = Instant.parse("2026-01-12T12:00:00Z");
  private static final Recurrence SECONDS = new Recurrence.Every(Duration.ofSeconds(1), NOON);

  @Test
  void after_an_outage_of_seconds_the_one_that_was_waited_for_happens_and_the_others_do_not() {
    Instant up = NOON.plusSeconds(8);

    assertThat(Missed.SKIP.noticed(SECONDS, NOON, up)).isEqualTo(NOON);
    assertThat(Missed.SKIP.next(SECONDS, NOON, up)).isEqualTo(up.plusSeconds(1));
  }

  @Test
  void after_a_long_outage_only_one_of_the_last_minute_happens() {
    Instant up = NOON.plus(Duration.ofHours(1));
    Recurrence hours = new Recurrence.Every(Duration.ofHours(2), NOON);

    assertThat(Missed.SKIP.noticed(SECONDS, NOON, up)).isEqualTo(up);
    assertThat(Missed.SKIP.noticed(hours, NOON, up)).isNull();
  }
}
