package dev.waymark.proof.time;

import static dev.waymark.proof.support.Timetable.ALICE;
import static dev.waymark.proof.support.Timetable.QUICK;
import static dev.waymark.proof.support.Timetable.SLOW;
import static dev.waymark.proof.support.Timetable.assertSound;
import static dev.waymark.proof.support.Timetable.hourly;
import static dev.waymark.proof.support.Timetable.startedAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Status;
import dev.waymark.core.time.Missed;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a schedule does when runs overlap, and about what passed while no node was up. */
final class SchedulePoliciesTest {

  /** It begins at midnight of 2026-01-01, UTC. */
  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, SKIP,         1, 2", "SQLITE, SKIP,         1, 2",
    "POSTGRES, ALLOW,        3, 0", "SQLITE, ALLOW,        3, 0",
    "POSTGRES, BUFFER_ONE,   1, 1", "SQLITE, BUFFER_ONE,   1, 1",
    "POSTGRES, CANCEL_OTHER, 1, 0", "SQLITE, CANCEL_OTHER, 1, 0",
  })
  void an_occurrence_that_finds_another_run_alive_follows_the_policy(
      Stores stores, Overlap policy, int alive, int skipped) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(SLOW);
      Schedules schedules = kit.engine().schedules();
      schedules.put(hourly("slow").overlap(policy), ALICE);

      kit.advance(Duration.ofHours(3));

      assertThat(live(kit.engine())).hasSize(alive);
      assertThat(schedules.find("hourly", ALICE).orElseThrow().skipped()).isEqualTo(skipped);
      assertSound(store);
    }
  }

  private static List<Instance> live(Engine engine) {
    return engine.instances().list(InstanceQuery.ALL, ALICE).stream()
        .filter(run -> run.status() == Status.RUNNING)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_buffered_occurrence_starts_when_the_one_before_it_has_ended(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(SLOW);
      Schedules schedules = kit.engine().schedules();
      schedules.put(hourly("slow").overlap(Overlap.BUFFER_ONE), ALICE);
      kit.advance(Duration.ofMinutes(190));
      Instance first = live(kit.engine()).get(0);
      Instant waiting = schedules.find("hourly", ALICE).orElseThrow().waiting();

      kit.engine().operations().cancel(first.id(), "enough", ALICE);
      kit.advance(Limits.LOOK_AGAIN);

      assertThat(live(kit.engine()))
          .extracting(run -> run.origin().correlationId())
          .containsExactly(waiting.toString());
      assertThat(schedules.find("hourly", ALICE).orElseThrow().waiting()).isNull();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, SKIP, 0", "POSTGRES, ONCE, 1", "POSTGRES, ALL, 5",
    "SQLITE,   SKIP, 0", "SQLITE,   ONCE, 1", "SQLITE,   ALL, 5"
  })
  void what_passed_while_no_node_was_up_follows_the_policy(
      Stores stores, Missed policy, int madeUp) {
    Stores.Place place = stores.create();
    Instant begin = clock.instant();
    try (WorkflowTestKit before = place.process(clock, builder -> {})) {
      before.deploy(QUICK);
      before
          .engine()
          .schedules()
          .put(
              Schedule.every("hourly", Duration.ofHours(1), begin, StartRequest.of("quick"))
                  .overlap(Overlap.ALLOW)
                  .missed(policy),
              ALICE);
    }
    clock.advance(Duration.ofMinutes(330));

    Store store = place.open(clock);
    try (WorkflowTestKit after = WorkflowTestKit.on(store, clock, builder -> {})) {
      after.runUntilIdle();
      assertThat(startedAt(after.engine())).hasSize(madeUp);
      assertThat(after.engine().schedules().find("hourly", ALICE).orElseThrow().next())
          .isEqualTo(begin.plus(Duration.ofHours(6)));
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void each_missed_occurrence_starts_where_runs_may_overlap(Stores stores) {
    Stores.Place place = stores.create();
    Instant begin = clock.instant();
    try (WorkflowTestKit before = place.process(clock, builder -> {})) {
      before.deploy(QUICK);
      Schedule minutely =
          Schedule.every("minutely", Duration.ofMinutes(1), begin, StartRequest.of("quick"));
      before.engine().schedules().put(minutely.overlap(Overlap.ALLOW).missed(Missed.ALL), ALICE);
    }
    clock.advance(Duration.ofMinutes(250));

    Store store = place.open(clock);
    try (WorkflowTestKit after = WorkflowTestKit.on(store, clock, builder -> {})) {
      after.runUntilIdle();
      assertThat(after.engine().schedules().find("minutely", ALICE).orElseThrow().started())
          .isEqualTo(250);
      assertSound(store);
    }
  }
}
