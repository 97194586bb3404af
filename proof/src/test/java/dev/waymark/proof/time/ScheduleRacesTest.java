package dev.waymark.proof.time;

import static dev.waymark.proof.support.Timetable.ALICE;
import static dev.waymark.proof.support.Timetable.BOB;
import static dev.waymark.proof.support.Timetable.QUICK;
import static dev.waymark.proof.support.Timetable.assertSound;
import static dev.waymark.proof.support.Timetable.at;
import static dev.waymark.proof.support.Timetable.startedAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.KillSwitch;
import dev.waymark.testkit.PumpScheduler;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An occurrence starts once, whoever dies, competes or pauses it meanwhile. */
final class ScheduleRacesTest {

  /** It begins at midnight of 2026-01-01, UTC. */
  private final VirtualClock clock = new VirtualClock();

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
        first.definitions().deploy(QUICK, ALICE);
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
      one.definitions().deploy(QUICK, ALICE);
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
      engine.definitions().deploy(QUICK, ALICE);
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
    return engine.instances().list(InstanceQuery.ALL.page(null, 1_000), ALICE).stream()
        .filter(
            run ->
                engine
                    .instances()
                    .history(run.id(), 1, 1, ALICE)
                    .get(0)
                    .actor()
                    .equals("schedule:" + name))
        .count();
  }
}
