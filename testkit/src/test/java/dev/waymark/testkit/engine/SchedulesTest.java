package dev.waymark.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.time.Missed;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.Engine;
import dev.waymark.engine.IdSource;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Overlap;
import dev.waymark.engine.Schedule;
import dev.waymark.engine.ScheduleInfo;
import dev.waymark.engine.Scheduling;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.KillSwitch;
import dev.waymark.testkit.PumpScheduler;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Definitions that are started again and again. */
final class SchedulesTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Caller BOB = Caller.of("bob");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static final String QUICK =
      """
      waymark: 1
      key: quick
      start: note
      activities:
        note: { type: set, with: { at: "${ Context.correlationId }" } }
      """;

  private static final String SLOW =
      """
      waymark: 1
      key: slow
      start: wait
      activities:
        wait: { type: wait }
      """;

  /** It begins at midnight of 2026-01-01, UTC. */
  private final VirtualClock clock = new VirtualClock();

  private static Schedule hourly(String definition) {
    return Schedule.every("hourly", Duration.ofHours(1), StartRequest.of(definition));
  }

  private static List<String> startedAt(Engine engine) {
    return engine.list(InstanceQuery.ALL, ALICE).stream()
        .map(run -> String.valueOf(run.origin().correlationId()))
        .sorted()
        .toList();
  }

  private String at(Duration sinceBeginning, Instant beginning) {
    return beginning.plus(sinceBeginning).toString();
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().withMaxLateness(Duration.ZERO).replayingAll()))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_schedule_starts_its_definition_at_each_occurrence_and_never_early(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(QUICK);
      Scheduling schedules = kit.engine().schedules();
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
      Instance run = kit.engine().list(InstanceQuery.ALL, ALICE).get(0);
      assertThat(kit.engine().find(run.id(), ALICE).orElseThrow().variables())
          .isEqualTo(Map.of("x", 1L, "at", last.toString()));
      assertThat(kit.engine().history(run.id(), 1, 1, ALICE).get(0).actor())
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
      Scheduling schedules = kit.engine().schedules();
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
      Scheduling schedules = kit.engine().schedules();
      schedules.put(hourly("slow"), ALICE);
      schedules.pause("hourly", ALICE);

      InstanceId one = schedules.trigger("hourly", ALICE.withCommandId("click")).orElseThrow();
      assertThat(kit.engine().find(one, ALICE)).isPresent();
      assertThat(schedules.trigger("hourly", ALICE.withCommandId("click"))).contains(one);
      assertThat(schedules.trigger("hourly", ALICE)).as("the first one is alive").isEmpty();
      assertThat(schedules.find("hourly", ALICE).orElseThrow().skipped()).isEqualTo(1);

      kit.engine().cancel(one, "enough", ALICE);
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
      Scheduling schedules = kit.engine().schedules();
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

  // ---- overlap

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
      Scheduling schedules = kit.engine().schedules();
      schedules.put(hourly("slow").overlap(policy), ALICE);

      kit.advance(Duration.ofHours(3));

      assertThat(live(kit.engine())).hasSize(alive);
      assertThat(schedules.find("hourly", ALICE).orElseThrow().skipped()).isEqualTo(skipped);
      assertSound(store);
    }
  }

  private static List<Instance> live(Engine engine) {
    return engine.list(InstanceQuery.ALL, ALICE).stream()
        .filter(run -> run.status() == Status.RUNNING)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_buffered_occurrence_starts_when_the_one_before_it_has_ended(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(SLOW);
      Scheduling schedules = kit.engine().schedules();
      schedules.put(hourly("slow").overlap(Overlap.BUFFER_ONE), ALICE);
      kit.advance(Duration.ofMinutes(190));
      Instance first = live(kit.engine()).get(0);
      Instant waiting = schedules.find("hourly", ALICE).orElseThrow().waiting();

      kit.engine().cancel(first.id(), "enough", ALICE);
      kit.advance(Limits.LOOK_AGAIN);

      assertThat(live(kit.engine()))
          .extracting(run -> run.origin().correlationId())
          .containsExactly(waiting.toString());
      assertThat(schedules.find("hourly", ALICE).orElseThrow().waiting()).isNull();
      assertSound(store);
    }
  }

  // ---- downtime

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

  // ---- trouble

  @ParameterizedTest
  @EnumSource
  void a_start_that_is_refused_is_told_and_the_next_one_is_tried(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(QUICK.replace("start: note", "input: { required: [amount] }\nstart: note"));
      Scheduling schedules = kit.engine().schedules();
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
      Scheduling schedules = kit.engine().schedules();

      assertThatThrownBy(() -> schedules.put(hourly("nothing"), ALICE))
          .isInstanceOf(CommandRefused.class)
          .hasMessageContaining("no active one with key 'nothing'");
      assertThatThrownBy(() -> schedules.pause("nothing", ALICE))
          .hasMessage("Expected a schedule, but there is none with name 'nothing'");
      assertThat(schedules.delete("nothing", ALICE)).isFalse();
      assertThat(schedules.list(null, 10, ALICE)).isEmpty();
    }
  }

  /** A process that dies between any two of its writes; the next one does the rest, once. */
  @ParameterizedTest
  @CsvSource({
    "POSTGRES, H1_OCCURRENCES_DECIDED", "SQLITE, H1_OCCURRENCES_DECIDED",
    "POSTGRES, H2_OCCURRENCES_STARTED", "SQLITE, H2_OCCURRENCES_STARTED",
    "POSTGRES, P3_BEFORE_COMMIT", "SQLITE, P3_BEFORE_COMMIT",
    "POSTGRES, P8_COMMITTED_UNHEARD", "SQLITE, P8_COMMITTED_UNHEARD",
  })
  void an_occurrence_starts_once_wherever_a_process_dies(Stores stores, Point point) {
    for (int deadly = 1; deadly <= 3; deadly++) {
      VirtualClock time = new VirtualClock();
      Store store = stores.create().open(time);
      Instant begin = time.instant();
      KillSwitch killSwitch = new KillSwitch(point, deadly);
      PumpScheduler dying = new PumpScheduler(time).diesWith(killSwitch);
      try {
        Engine first = engine(killSwitch.guard(store), time, dying, killSwitch, 1);
        dying.runUntilIdle();
        first.deploy(QUICK, ALICE);
        first
            .schedules()
            .put(
                Schedule.every("hourly", Duration.ofHours(1), begin, StartRequest.of("quick")),
                ALICE);
        dying.advance(Duration.ofHours(4));
      } catch (KillSwitch.Killed e) {
        // The next process goes on.
      }
      assertThat(killSwitch.isDead()).isTrue();

      PumpScheduler next = new PumpScheduler(time);
      try (Engine second =
          engine(store, time, next, new KillSwitch(Point.P3_BEFORE_COMMIT, 0), 2)) {
        next.runUntilIdle();
        next.advance(
            Duration.between(time.instant(), begin.plus(Duration.ofHours(4)).plusSeconds(30)));

        assertThat(startedAt(second))
            .containsExactly(
                at(Duration.ofHours(1), begin),
                at(Duration.ofHours(2), begin),
                at(Duration.ofHours(3), begin),
                at(Duration.ofHours(4), begin));
        assertSound(store);
      }
    }
  }

  private static Engine engine(
      Store store, VirtualClock clock, PumpScheduler scheduler, KillSwitch killSwitch, int seed) {
    return Engine.builder(store)
        .clock(clock)
        .scheduler(scheduler)
        .settings(Settings.DEFAULT.alone())
        .ids(IdSource.timeOrdered(clock, new Random(seed)))
        .crashPoints(killSwitch)
        .activity("work", context -> ActivityResult.completed())
        .start();
  }

  /** Two nodes on one database, in an order that a seed decides. */
  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4", "5", "6"})
  void two_nodes_start_an_occurrence_once(long seed) {
    Stores.Place place = Stores.POSTGRES.create();
    Instant begin = clock.instant();
    PumpScheduler pump = new PumpScheduler(clock, seed);
    KillSwitch never = new KillSwitch(Point.P3_BEFORE_COMMIT, 0);
    Store store = place.open(clock);
    try (Engine one = engine(store, clock, pump, never, 1);
        Engine two = engine(place.open(clock), clock, pump, never, 2)) {
      pump.runUntilIdle();
      one.deploy(QUICK, ALICE);
      for (int i = 0; i < 5; i++) {
        one.schedules()
            .put(
                Schedule.every("s" + i, Duration.ofMinutes(1), begin, StartRequest.of("quick"))
                    .overlap(Overlap.ALLOW),
                ALICE);
      }

      pump.advance(Duration.ofMinutes(3).plusSeconds(10));

      assertThat(startedAt(two)).hasSize(15);
      assertThat(two.schedules().list(null, 10, ALICE))
          .allSatisfy(info -> assertThat(info.started()).isEqualTo(3));
      assertSound(store);
    }
  }

  /**
   * Firing, and in the middle of it somebody pauses or deletes: what starts later is none of it.
   */
  @ParameterizedTest
  @CsvSource({
    "POSTGRES, 1", "POSTGRES, 2", "POSTGRES, 3", "POSTGRES, 4", "POSTGRES, 5",
    "SQLITE, 1", "SQLITE, 2", "SQLITE, 3", "SQLITE, 4", "SQLITE, 5"
  })
  void after_a_pause_or_a_deletion_nothing_starts_any_more(Stores stores, long seed) {
    Random random = new Random(seed);
    Store store = stores.create().open(clock);
    PumpScheduler pump = new PumpScheduler(clock, seed);
    KillSwitch never = new KillSwitch(Point.P3_BEFORE_COMMIT, 0);
    try (Engine engine = engine(store, clock, pump, never, 1)) {
      pump.runUntilIdle();
      engine.deploy(QUICK, ALICE);
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        names.add("s" + i);
        engine
            .schedules()
            .put(
                Schedule.every("s" + i, Duration.ofMinutes(1), StartRequest.of("quick"))
                    .overlap(Overlap.ALLOW),
                ALICE);
      }
      for (String name : names) {
        clock.advance(Duration.ofMinutes(1));
        // So far into the firing of all, and no farther.
        for (int tasks = random.nextInt(40); tasks > 0 && pump.runOne(); tasks--) {
          assertThat(tasks).isPositive();
        }
        if (random.nextBoolean()) {
          engine.schedules().pause(name, BOB);
        } else {
          engine.schedules().delete(name, BOB);
        }
        long started = startedBy(engine, name);
        pump.advance(Duration.ofMinutes(3));
        assertThat(startedBy(engine, name)).as(name).isEqualTo(started);
      }
      assertSound(store);
    }
  }

  private static long startedBy(Engine engine, String name) {
    return engine.list(InstanceQuery.ALL.page(null, 1_000), ALICE).stream()
        .filter(
            run -> engine.history(run.id(), 1, 1, ALICE).get(0).actor().equals("schedule:" + name))
        .count();
  }
}
