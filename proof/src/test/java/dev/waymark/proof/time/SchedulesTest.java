package dev.waymark.proof.time;

import static dev.waymark.proof.support.Timetable.ALICE;
import static dev.waymark.proof.support.Timetable.BOB;
import static dev.waymark.proof.support.Timetable.QUICK;
import static dev.waymark.proof.support.Timetable.SLOW;
import static dev.waymark.proof.support.Timetable.assertSound;
import static dev.waymark.proof.support.Timetable.at;
import static dev.waymark.proof.support.Timetable.hourly;
import static dev.waymark.proof.support.Timetable.startedAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.time.Missed;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.ScheduleInfo;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Definitions that are started again and again. */
final class SchedulesTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** It begins at midnight of 2026-01-01, UTC. */
  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @EnumSource
  void a_schedule_starts_its_definition_at_each_occurrence_and_never_early(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(QUICK);
      Schedules schedules = kit.engine().schedules();
      Instant begin = clock.instant();
      Schedule daily =
          Schedule.cron(
              "daily", "0 9 * * *", BERLIN, StartRequest.of("quick").input(Map.of("x", 1)));

      ScheduleInfo made = schedules.put(daily, ALICE);
      Instant first = made.next();
      assertThat(first.atZone(BERLIN).getHour()).isEqualTo(9);
      assertThat(made).extracting(ScheduleInfo::createdBy).isEqualTo("alice");

      kit.advance(Duration.between(begin, first).minusNanos(1_000));
      assertThat(startedAt(kit.engine())).isEmpty();
      kit.advance(Duration.ofNanos(1_000));
      assertThat(startedAt(kit.engine())).containsExactly(first.toString());

      kit.advance(Duration.ofDays(2));
      Instant last = first.plus(Duration.ofDays(2));
      assertThat(startedAt(kit.engine())).hasSize(3);
      assertThat(schedules.find("daily", ALICE).orElseThrow())
          .satisfies(
              info -> {
                assertThat(info.schedule()).isEqualTo(daily);
                assertThat(info.last()).isEqualTo(last);
                assertThat(info.next()).isEqualTo(last.plus(Duration.ofDays(1)));
                assertThat(info.started()).isEqualTo(3);
                assertThat(info.starting()).isZero();
                assertThat(info.error()).isNull();
              });
      Instance run = kit.engine().instances().list(InstanceQuery.ALL, ALICE).get(0);
      assertThat(kit.engine().instances().find(run.id(), ALICE).orElseThrow().variables())
          .isEqualTo(Map.of("x", 1L, "at", last.toString()));
      assertThat(kit.engine().instances().history(run.id(), 1, 1, ALICE).get(0).actor())
          .isEqualTo("schedule:daily");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_paused_schedule_starts_nothing_and_makes_up_for_nothing(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(QUICK);
      Schedules schedules = kit.engine().schedules();
      schedules.put(hourly("quick").missed(Missed.ALL), ALICE);
      kit.advance(Duration.ofMinutes(90));

      ScheduleInfo paused = schedules.pause("hourly", BOB);
      assertThat(paused.paused()).isTrue();
      assertThat(paused.next()).isNull();
      assertThat(paused.changedBy()).isEqualTo("bob");
      kit.advance(Duration.ofHours(5));
      assertThat(startedAt(kit.engine())).hasSize(1);

      ScheduleInfo resumed = schedules.resume("hourly", ALICE);
      assertThat(resumed.next()).isAfter(clock.instant());
      kit.advance(Duration.ofHours(1));
      assertThat(startedAt(kit.engine())).hasSize(2);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void triggering_starts_now_and_once_for_each_name_of_the_caller(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(SLOW);
      Schedules schedules = kit.engine().schedules();
      schedules.put(hourly("slow"), ALICE);
      schedules.pause("hourly", ALICE);

      InstanceId one = schedules.trigger("hourly", ALICE.withCommandId("click")).orElseThrow();
      assertThat(kit.engine().instances().find(one, ALICE)).isPresent();
      assertThat(schedules.trigger("hourly", ALICE.withCommandId("click"))).contains(one);
      assertThat(schedules.trigger("hourly", ALICE)).as("the first one is alive").isEmpty();
      assertThat(schedules.find("hourly", ALICE).orElseThrow().skipped()).isEqualTo(1);

      kit.engine().operations().cancel(one, "enough", ALICE);
      assertThat(schedules.trigger("hourly", ALICE)).isPresent();
      assertThat(startedAt(kit.engine())).hasSize(2);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_backfill_starts_what_has_not_started_before(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(QUICK);
      Schedules schedules = kit.engine().schedules();
      Instant begin = clock.instant();
      schedules.put(
          Schedule.every("hourly", Duration.ofHours(1), begin, StartRequest.of("quick")), ALICE);
      kit.advance(Duration.ofHours(2));

      List<Instant> filled =
          schedules.backfill(
              "hourly", begin.minus(Duration.ofHours(1)), begin.plus(Duration.ofHours(3)), ALICE);

      assertThat(filled)
          .containsExactly(begin.plus(Duration.ofHours(1)), begin.plus(Duration.ofHours(2)));
      assertThat(startedAt(kit.engine()))
          .containsExactly(at(Duration.ofHours(1), begin), at(Duration.ofHours(2), begin));

      schedules.put(Schedule.every("daily", Duration.ofDays(1), StartRequest.of("quick")), ALICE);
      assertThat(schedules.backfill("daily", begin.minus(Duration.ofDays(3)), begin, ALICE))
          .hasSize(3);
      assertThat(startedAt(kit.engine())).hasSize(5);
      assertThatThrownBy(() -> schedules.backfill("daily", Instant.EPOCH, clock.instant(), ALICE))
          .hasMessageContaining("at most 1,000 occurrences");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_start_that_is_refused_is_told_and_the_next_one_is_tried(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(QUICK.replace("start: note", "input: { required: [amount] }\nstart: note"));
      Schedules schedules = kit.engine().schedules();
      schedules.put(hourly("quick"), ALICE);

      kit.advance(Duration.ofHours(1));
      assertThat(schedules.find("hourly", ALICE).orElseThrow().error()).contains("amount");

      schedules.put(
          Schedule.every(
              "hourly", Duration.ofHours(1), StartRequest.of("quick").input(Map.of("amount", 1))),
          ALICE);
      kit.advance(Duration.ofHours(1));
      ScheduleInfo info = schedules.find("hourly", ALICE).orElseThrow();
      assertThat(info.error()).isNull();
      assertThat(info.started()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_not_there_is_refused(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Schedules schedules = kit.engine().schedules();

      assertThatThrownBy(() -> schedules.put(hourly("nothing"), ALICE))
          .isInstanceOf(CommandRefused.class)
          .hasMessageContaining("no active one with key 'nothing'");
      assertThatThrownBy(() -> schedules.pause("nothing", ALICE))
          .hasMessage("Expected a schedule, but there is none with name 'nothing'");
      assertThat(schedules.delete("nothing", ALICE)).isFalse();
      assertThat(schedules.list(null, 10, ALICE)).isEmpty();
    }
  }
}
