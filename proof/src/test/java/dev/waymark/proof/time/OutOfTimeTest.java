package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.TimerHealth;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of waits that nobody answers in time. */
final class OutOfTimeTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Caller ANNA = Caller.of("anna");

  private static final String ORDER =
      """
      waymark: 1
      key: order
      start: paid
      activities:
        paid:
          type: wait
          with: { for: external-message, key: payment, expires: PT1H }
          next:
            - { when: "has(Output.expired) && Output.expired", to: remind }
            - { to: ship }
        remind: { type: wait, with: { for: user-action, expires: PT2H } }
        ship: { type: wait }
      """;

  private static final String RACE =
      """
      waymark: 1
      key: race
      start: either
      activities:
        either:
          type: race
          with:
            waits:
              slow: { for: user-action, key: slow }
              quick: { for: user-action, key: quick, expires: PT1H }
      """;

  private static final String TIMER =
      """
      waymark: 1
      key: timer
      start: t
      activities:
        t: { type: timer, with: { after: PT10M } }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_message_that_does_not_come_in_time_is_no_longer_waited_for(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(ORDER);
      Run late = kit.start("order", Map.of());
      Run paid = kit.start("order", Map.of());
      BookmarkId payment = late.bookmark("payment").id();
      paid.send("payment", Map.of("amount", 5));

      kit.advance(HOUR.minusMillis(1));
      assertThat(late).isWaitingAt("paid");
      kit.advance(Duration.ofMillis(1));

      assertThat(late).isWaitingAt("remind").hasVariable("expired", true);
      assertThat(paid).isWaitingAt("ship");
      assertThat(kit.engine().bookmarks().look().find(payment, ANNA).orElseThrow().state())
          .isEqualTo(Bookmark.State.EXPIRED);
      assertThat(late.history())
          .extracting(HistoryEntry::type)
          .contains(HistoryEntry.Type.WAIT_EXPIRED);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_has_expired_is_neither_claimed_nor_answered_before_a_step_closes_it(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(RACE);
      Run run = kit.start("race", Map.of());
      BookmarkId quick = run.bookmark("quick").id();
      // Time passes for the store and the engine, but nobody has looked yet.
      clock.advance(HOUR);

      Answer answer = kit.engine().bookmarks().resume(quick, Map.of(), ANNA);

      assertThat(((Answer.Refused) answer).rejection().code()).isEqualTo(Code.EXPIRED);
      assertThat(
              kit.engine().bookmarks().claim(ClaimRequest.lasting(HOUR).batch(10), ANNA).stream()
                  .map(held -> held.bookmark().key()))
          .doesNotContain("quick");
      kit.runUntilIdle();
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(run).hasVariable("winner", "quick");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_process_that_was_down_when_a_wait_expired_closes_it_when_it_is_back(Stores stores) {
    Stores.Place place = stores.create();
    Run run;
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      kit.deploy(ORDER);
      run = kit.start("order", Map.of());
    }
    clock.advance(HOUR.multipliedBy(2));

    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      kit.runUntilIdle();
      assertThat(kit.run(run.id())).isWaitingAt("remind");
    }
  }

  @ParameterizedTest
  @EnumSource
  void late_timers_and_lapsed_leases_are_warnings_in_words(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(RACE);
      kit.deploy(TIMER);
      kit.start("race", Map.of());
      kit.start("timer", Map.of());
      assertThat(kit.engine().bookmarks().claimNext(Duration.ofMinutes(1), ANNA)).isPresent();
      assertThat(kit.engine().bookmarks().look().health(ANNA).warnings()).isEmpty();

      // Nobody runs: the timer that is due does not fire.
      clock.advance(Duration.ofMinutes(12));

      assertThat(kit.engine().bookmarks().look().health(ANNA).warnings())
          .containsExactly(
              "1 timer of tenant 'default' should have fired, the first at "
                  + clock.instant().minus(Duration.ofMinutes(2))
                  + ": check the health of the nodes. Does one run, and does it keep up?",
              "1 holder let the lease of a wait pass: what they hold is free for others");
    }
  }

  @ParameterizedTest
  @EnumSource
  void timers_that_do_not_fire_are_seen_and_warned_of(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(TIMER);
      assertThat(kit.engine().operations().timerHealth())
          .isEqualTo(new TimerHealth(null, Duration.ZERO));
      Run run = kit.start("timer", Map.of());
      Instant due = clock.instant().plus(Duration.ofMinutes(10));
      assertThat(kit.engine().operations().timerHealth())
          .isEqualTo(new TimerHealth(due, Duration.ZERO));

      // Nobody runs: what is due does not fire. A little late is still on its way.
      clock.advance(Duration.ofMinutes(10).plus(Limits.TIMER_LATE).minusMillis(1));
      assertThat(kit.engine().operations().timerHealth().isHealthy()).isTrue();
      assertThat(kit.engine().operations().timerHealth().warning()).isEmpty();
      clock.advance(Duration.ofMillis(2));

      TimerHealth late = kit.engine().operations().timerHealth();
      assertThat(late.isHealthy()).isFalse();
      assertThat(late.late()).isEqualTo(Limits.TIMER_LATE.plusMillis(1));
      assertThat(late.warning().orElseThrow())
          .isEqualTo(
              "A timer is overdue by PT1M0.001S, since %s: check the health of the nodes. Does one run, does it keep up, and is its clock right?"
                  .formatted(due));
      assertThat(kit.engine().bookmarks().look().health(ANNA).lateTimers())
          .extracting(timer -> timer.bookmark().due())
          .containsExactly(due);

      kit.advance(Duration.ZERO);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(kit.engine().operations().timerHealth().isHealthy()).isTrue();
      assertThat(kit.engine().bookmarks().look().health(ANNA).lateTimers()).isEmpty();
    }
  }
}
