package dev.waymark.engine.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.store.Nodes.Renewal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a process knows of the database's time, whatever its questions for it go through. */
class NodeClockTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant WRONG = Instant.parse("1999-01-01T00:00:00Z");

  /** The time that passes, for the process and for the database. */
  private long nanos;

  /** By how much the database's clock was set. */
  private Duration set = Duration.ZERO;

  private final NodeClock clock = new NodeClock(() -> WRONG, () -> nanos);

  @Test
  void it_follows_the_database_and_not_the_machine() {
    renew(1, 0, 1);
    pass(5_000);

    assertThat(clock.instant()).isBetween(database(), database().plusMillis(1));
  }

  @Test
  void a_renewal_that_waits_for_its_row_does_not_hold_the_clock_back() {
    renew(1, 0, 1);
    pass(5_000);
    renew(1, 4_500, 1);

    assertThat(clock.instant()).isBetween(database(), database().plusMillis(4));
  }

  @Test
  void an_answer_that_is_long_under_way_does_not_hold_the_clock_back() {
    renew(1, 0, 1);
    pass(5_000);
    renew(1, 0, 3_000);

    assertThat(clock.instant()).isBetween(database(), database().plusMillis(4));
  }

  @Test
  void a_question_that_is_long_under_way_does_not_put_the_clock_forward() {
    renew(1, 0, 1);
    pass(5_000);
    renew(3_000, 0, 1);

    assertThat(clock.instant()).isBetween(database(), database().plusMillis(4));
  }

  @Test
  void a_first_question_that_took_long_makes_times_late_and_never_early_nor_does_it_go_back() {
    renew(600, 0, 1);
    Instant shown = clock.instant();
    assertThat(shown).isBetween(database(), database().plusMillis(601));

    pass(100);
    renew(1, 0, 1);
    assertThat(clock.instant()).isAfterOrEqualTo(shown);

    pass(5_000);
    assertThat(clock.instant()).isBetween(database(), database().plusMillis(3));
  }

  @Test
  void a_first_question_that_took_seconds_is_no_database_that_was_set_back() {
    renew(3_000, 0, 1);
    Instant shown = clock.instant();
    assertThat(clock.doubt()).isGreaterThan(Duration.ofSeconds(2));

    pass(100);
    renew(1, 0, 1);
    assertThat(clock.doubt()).isLessThan(Duration.ofMillis(3));
    assertThat(clock.instant()).as("it never goes back").isAfterOrEqualTo(shown);

    pass(4_000);
    assertThat(clock.instant()).isBetween(database(), database().plusMillis(3));
  }

  @Test
  void a_node_that_begins_asks_again_if_its_first_question_took_long() {
    clock.begin(() -> question(3_000, 0, 1), () -> question(1, 0, 1));

    assertThat(clock.instant()).isBetween(database(), database().plusMillis(3));
  }

  @Test
  void a_node_that_begins_takes_the_best_of_bad_answers() {
    long[] way = {2_000};
    clock.begin(() -> question(3_000, 0, 1), () -> question(way[0] -= 100, 0, 1));

    assertThat(clock.doubt()).isEqualTo(Duration.ofMillis(1_501));
  }

  @Test
  void a_database_whose_clock_was_set_is_followed() {
    renew(1, 0, 1);
    pass(5_000);
    set = Duration.ofMinutes(1);
    renew(1, 0, 50);
    assertThat(clock.instant()).isBetween(database(), database().plusMillis(60));

    pass(5_000);
    set = Duration.ofSeconds(50);
    renew(1, 0, 50);
    pass(11_000);
    assertThat(clock.instant()).isBetween(database(), database().plusMillis(60));
  }

  @Test
  void a_database_whose_clock_was_set_back_far_is_followed_at_once() {
    set = Duration.ofHours(2);
    renew(1, 0, 1);
    pass(5_000);
    set = Duration.ZERO;
    renew(1, 0, 1);

    assertThat(clock.instant()).isBetween(database(), database().plusMillis(3));
  }

  private Instant database() {
    return START.plusNanos(nanos).plus(set);
  }

  private void pass(long millis) {
    nanos += Duration.ofMillis(millis).toNanos();
  }

  private void renew(long there, long inDatabase, long back) {
    var unused = clock.follow(() -> question(there, inDatabase, back));
  }

  private Renewal question(long there, long inDatabase, long back) {
    pass(there);
    Instant read = database();
    pass(inDatabase);
    Renewal renewal = new Renewal(true, read, Duration.ofMillis(inDatabase), null);
    pass(back);
    return renewal;
  }
}
