package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.query.OpenTimer;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timers on real stores: those that come again, and what operators do with them. */
final class TimersTest {

  private static final Caller ALICE = Caller.of("alice");

  private static final String NAP =
      """
      waymark: 1
      key: nap
      start: sleep
      activities:
        sleep: { type: timer, with: { after: PT8H } }
      """;

  private static final String HOURLY =
      """
      waymark: 1
      key: hourly
      variables: { seen: [] }
      start: tick
      activities:
        tick:
          type: timer
          with: { cron: "0 * * * *", zone: Europe/Berlin, occurrences: 3, missed: all }
          output: { seen: "${ Variables.seen + [Output.scheduled] }" }
          next: [{ when: "Output.exhausted", to: done }, { to: tick }]
        done: { type: end }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().withMaxLateness(Duration.ZERO).replayingAll()))
        .isEmpty();
  }

  /** The node knows the database's time up to a little; what seems due to it may not be so yet. */
  @Test
  void a_timer_is_not_left_for_long_because_the_database_is_a_little_behind(@TempDir Path folder) {
    Store behind = SqliteStore.open(folder.resolve("nap.db"), () -> clock.instant().minusMillis(2));
    try (WorkflowTestKit kit = WorkflowTestKit.on(behind, clock, builder -> {})) {
      kit.deploy(NAP);
      Run run = kit.start("nap", Map.of());

      kit.advance(Duration.ofHours(8).plusMillis(10));

      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_cron_timer_survives_a_downtime_and_has_each_occurrence_once(Stores stores) {
    Stores.Place place = stores.create();
    Run run;
    try (WorkflowTestKit before = place.process(clock, builder -> {})) {
      before.deploy(HOURLY);
      run = before.start("hourly", Map.of());
      before.advance(Duration.ofHours(1));
    }
    Instant first = Instant.ofEpochSecond(clock.instant().getEpochSecond() / 3600 * 3600);
    clock.advance(Duration.ofHours(5));

    Store store = place.open(clock);
    try (WorkflowTestKit after = WorkflowTestKit.on(store, clock, builder -> {})) {
      after.runUntilIdle();
      Run same = after.run(run.id());
      assertThat(same.status()).isEqualTo(Status.COMPLETED);
      List<?> seen = (List<?>) same.variables().get("seen");
      assertThat(seen.subList(0, 3))
          .isEqualTo(
              List.of(
                  first.toString(),
                  first.plus(Duration.ofHours(1)).toString(),
                  first.plus(Duration.ofHours(2)).toString()));
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_operator_lists_timers_and_fires_one_now(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(NAP);
      Run run = kit.start("nap", Map.of());
      assertThat(kit.engine().operations().timersDueWithin(Duration.ofHours(7), 10, ALICE))
          .isEmpty();
      List<OpenTimer> timers =
          kit.engine().operations().timersDueWithin(Duration.ofHours(9), 10, ALICE);
      assertThat(timers).extracting(OpenTimer::key).containsExactly("sleep");

      kit.engine().operations().fireTimer(timers.get(0).id(), "she is awake", ALICE).orThrow();
      kit.runUntilIdle();

      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      HistoryEntry edit = kit.engine().instances().history(run.id(), 2, 10, ALICE).get(0);
      assertThat(edit.type()).isEqualTo(HistoryEntry.Type.INSTANCE_EDITED);
      assertThat(edit.actor()).isEqualTo("alice");
      assertThat(edit.detail()).containsEntry("reason", "she is awake");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timer_that_is_fired_again_under_the_same_command_id_is_the_same_request(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(NAP);
      Run run = kit.start("nap", Map.of());
      BookmarkId timer =
          kit.engine().operations().timersDueWithin(Duration.ofHours(9), 10, ALICE).get(0).id();
      Caller caller = ALICE.withCommandId("wake up");

      Answer first = kit.engine().operations().fireTimer(timer, "she is awake", caller);
      assertThat(first).isEqualTo(new Answer.Done(run.id(), 2));
      clock.advance(Duration.ofSeconds(1));

      assertThat(kit.engine().operations().fireTimer(timer, "she is awake", caller))
          .isInstanceOfSatisfying(
              Answer.Unchanged.class, repeat -> assertThat(repeat.version()).isEqualTo(2));
      kit.runUntilIdle();
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_rescheduled_timer_fires_at_its_new_time(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(NAP);
      Run earlier = kit.start("nap", Map.of());
      Run later = kit.start("nap", Map.of());
      Instant now = clock.instant();
      reschedule(kit, earlier, now.plus(Duration.ofHours(1)));
      reschedule(kit, later, now.plus(Duration.ofHours(20)));

      kit.advance(Duration.ofHours(1));
      assertThat(earlier.status()).isEqualTo(Status.COMPLETED);
      kit.advance(Duration.ofHours(18));
      assertThat(later.status()).isEqualTo(Status.RUNNING);
      kit.advance(Duration.ofHours(1));
      assertThat(later.status()).isEqualTo(Status.COMPLETED);
      assertSound(store);
    }
  }

  private static void reschedule(WorkflowTestKit kit, Run run, Instant due) {
    BookmarkId timer =
        kit.engine().instances().find(run.id(), ALICE).orElseThrow().bookmarks().firstKey();
    kit.engine().operations().rescheduleTimer(timer, due, "plans change", ALICE).orThrow();
  }
}
