package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.KillSwitch;
import dev.waymark.testkit.PumpScheduler;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SagaExampleTest {

  private static final Caller YOU = Caller.of("you");

  @Test
  void what_was_booked_is_cancelled_in_reverse_order() {
    List<String> world = new ArrayList<>();

    List<String> history =
        SagaExample.trip(SqliteStore.inMemory(InstantSource.system()), world::add);

    assertThat(world)
        .containsExactly(
            "booked flight", "booked hotel", "cancelled hotel-4711", "cancelled flight-4711");
    assertThat(history).last().asString().startsWith("INSTANCE_FAILED");
  }

  @ParameterizedTest
  @EnumSource(names = {"P3_BEFORE_COMMIT", "P8_COMMITTED_UNHEARD", "P11_BODY_ENDED"})
  void each_is_cancelled_once_although_the_node_dies_at_any_moment_of_it(Point point) {
    for (int deadly = 1; deadly <= 12; deadly++) {
      VirtualClock clock = new VirtualClock();
      Store store = SqliteStore.inMemory(clock);
      KillSwitch killSwitch = new KillSwitch(point, deadly);
      try {
        live(store, clock, killSwitch);
      } catch (KillSwitch.Killed e) {
        // The next one goes on.
      }
      Engine engine = live(store, clock, new KillSwitch(point, 0));
      InstanceId id = InstanceId.derived("default", "trip");

      assertThat(engine.instances().find(id, YOU).orElseThrow().status())
          .as("killed at %s number %d", point, deadly)
          .isEqualTo(Status.FAILED);
      assertThat(completions(engine, id))
          .as("killed at %s number %d", point, deadly)
          .containsExactly("flight", "hotel", "cancel-hotel", "cancel-flight");
    }
  }

  /** One process: starts the trip, or finds it started, and works for two minutes. */
  private static Engine live(Store store, VirtualClock clock, KillSwitch killSwitch) {
    PumpScheduler pump = new PumpScheduler(clock).diesWith(killSwitch);
    Engine engine =
        Engine.builder(killSwitch.guard(store))
            .clock(clock)
            .scheduler(pump)
            .settings(Settings.DEFAULT)
            .crashPoints(killSwitch)
            .activity("book", context -> SagaExample.book(context, did -> {}))
            .activity("cancel", context -> SagaExample.cancel(context, did -> {}))
            .start();
    engine.definitions().deploy(SagaExample.TRIP, YOU);
    engine.instances().start(StartRequest.of("trip"), YOU.withCommandId("trip")).orThrow();
    pump.advance(Duration.ofMinutes(2));
    return engine;
  }

  private static List<String> completions(Engine engine, InstanceId id) {
    return engine.instances().history(id, 1, 100, YOU).stream()
        .filter(entry -> entry.type().name().equals("ACTIVITY_COMPLETED"))
        .map(entry -> String.valueOf(entry.activity()))
        .toList();
  }
}
