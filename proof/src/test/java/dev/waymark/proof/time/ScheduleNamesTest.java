package dev.waymark.proof.time;

import static dev.waymark.proof.support.Timetable.ALICE;
import static dev.waymark.proof.support.Timetable.QUICK;
import static dev.waymark.proof.support.Timetable.SLOW;
import static dev.waymark.proof.support.Timetable.hourly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.ScheduleInfo;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The names of what schedules start, and what pausing and backfilling leave alone. */
final class ScheduleNamesTest {

  private final VirtualClock clock = new VirtualClock();

  private WorkflowTestKit kit(Stores stores) {
    Store store = stores.create().open(clock);
    WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {});
    kit.deploy(SLOW);
    kit.deploy(QUICK);
    return kit;
  }

  private static List<Instance> runs(Engine engine) {
    return engine.instances().list(InstanceQuery.ALL, ALICE);
  }

  @ParameterizedTest
  @EnumSource
  void a_trigger_under_a_long_name_starts_a_run_and_the_schedule_goes_on(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      Schedules schedules = kit.engine().schedules();
      schedules.put(hourly("slow").overlap(Overlap.CANCEL_OTHER), ALICE);
      String longest = "x".repeat(512);

      Optional<InstanceId> run = schedules.trigger("hourly", ALICE.withCommandId(longest));

      assertThat(run).isPresent();
      assertThat(kit.engine().instances().find(run.orElseThrow(), ALICE)).isPresent();
      assertThat(schedules.trigger("hourly", ALICE.withCommandId(longest))).isEqualTo(run);
      kit.advance(Duration.ofHours(1));
      assertThat(runs(kit.engine())).hasSize(2);
      assertThat(schedules.pause("hourly", ALICE).paused()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void no_caller_can_take_the_name_of_an_occurrence(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      Engine engine = kit.engine();
      engine.schedules().put(hourly("quick"), ALICE);
      Instant next = engine.schedules().find("hourly", ALICE).orElseThrow().next();

      engine
          .instances()
          .start(StartRequest.of("slow"), ALICE.withCommandId("schedule:hourly@" + next));
      assertThatThrownBy(
              () ->
                  engine
                      .instances()
                      .start(StartRequest.of("slow"), ALICE.withCommandId("$schedule:x")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("$schedule:x");
      kit.advance(Duration.ofHours(1));

      assertThat(engine.schedules().find("hourly", ALICE).orElseThrow().started()).isEqualTo(1);
      assertThat(runs(engine)).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_paused_schedule_does_not_start_what_waited_for_a_run_to_end(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      Engine engine = kit.engine();
      engine.schedules().put(hourly("slow").overlap(Overlap.BUFFER_ONE), ALICE);
      kit.advance(Duration.ofHours(2));

      ScheduleInfo paused = engine.schedules().pause("hourly", ALICE);
      engine.operations().cancel(runs(engine).get(0).id(), "enough", ALICE).orThrow();
      kit.advance(Duration.ofHours(2));

      assertThat(paused.skipped()).isEqualTo(1);
      assertThat(runs(engine)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void backfilled_occurrences_cancel_nobody(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      Engine engine = kit.engine();
      Instant begin = clock.instant();
      engine.schedules().put(hourly("slow").overlap(Overlap.CANCEL_OTHER), ALICE);
      kit.advance(Duration.ofHours(1));

      List<Instant> filled =
          engine.schedules().backfill("hourly", begin.minus(Duration.ofHours(5)), begin, ALICE);

      assertThat(filled).isNotEmpty();
      assertThat(runs(engine))
          .hasSize(1 + filled.size())
          .allMatch(run -> run.status() == Status.RUNNING);
    }
  }
}
