package dev.waymark.proof.time;

import static dev.waymark.proof.support.Timetable.ALICE;
import static dev.waymark.proof.support.Timetable.SLOW;
import static dev.waymark.proof.support.Timetable.assertSound;
import static dev.waymark.proof.support.Timetable.hourly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A trigger under a command id is one start, asked by several at once or again. */
final class RepeatedTriggersTest {

  private static final Caller ONCE = ALICE.withCommandId("once");

  private final VirtualClock clock = new VirtualClock();

  static Stream<Arguments> storesAndPolicies() {
    return Stream.of(Stores.values())
        .flatMap(stores -> Stream.of(Overlap.values()).map(policy -> Arguments.of(stores, policy)));
  }

  /** The other one comes after this trigger has looked for its run, and before it looks again. */
  @ParameterizedTest
  @MethodSource("storesAndPolicies")
  void two_triggers_of_one_command_at_once_answer_with_the_same_run(Stores stores, Overlap policy) {
    AtomicBoolean armed = new AtomicBoolean();
    AtomicReference<Runnable> other = new AtomicReference<>(() -> {});
    Store plain = stores.create().open(clock);
    Store store = StoreHooks.before(plain, "find", StoreHooks.once(armed, () -> other.get().run()));
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(SLOW);
      Schedules schedules = kit.engine().schedules();
      schedules.put(hourly("slow").overlap(policy), ALICE);
      List<Optional<InstanceId>> answers = new ArrayList<>();
      other.set(() -> answers.add(schedules.trigger("hourly", ONCE)));
      armed.set(true);

      answers.add(schedules.trigger("hourly", ONCE));
      kit.advance(Limits.LOOK_AGAIN);

      List<Instance> runs = runs(kit.engine());
      assertThat(runs).extracting(Instance::status).containsExactly(Status.RUNNING);
      assertThat(answers).hasSize(2).containsOnly(Optional.of(runs.get(0).id()));
      assertThat(schedules.find("hourly", ALICE).orElseThrow().skipped()).isZero();
      assertSound(plain);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_buffered_trigger_starts_under_its_own_command(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(SLOW);
      Engine engine = kit.engine();
      Schedules schedules = engine.schedules();
      schedules.put(hourly("slow").overlap(Overlap.BUFFER_ONE), ALICE);
      InstanceId busy = schedules.trigger("hourly", ALICE).orElseThrow();

      assertThat(schedules.trigger("hourly", ONCE)).isEmpty();
      assertThat(schedules.trigger("hourly", ONCE)).isEmpty();
      assertThat(schedules.find("hourly", ALICE).orElseThrow().skipped()).isZero();
      engine.operations().cancel(busy, "done", ALICE).orThrow();
      kit.advance(Limits.LOOK_AGAIN);

      Optional<InstanceId> started = schedules.trigger("hourly", ONCE);
      assertThat(started).isPresent();
      engine.operations().cancel(started.orElseThrow(), "done", ALICE).orThrow();
      assertThat(schedules.trigger("hourly", ONCE)).isEqualTo(started);
      assertThat(runs(engine))
          .extracting(Instance::id)
          .containsExactlyInAnyOrder(busy, started.orElseThrow());
      assertSound(store);
    }
  }

  /** The start of a version reads it: that answer is lost once the trigger is written down. */
  @ParameterizedTest
  @EnumSource
  void a_trigger_whose_read_of_the_definition_fails_for_a_moment_is_not_refused(Stores stores) {
    AtomicBoolean armed = new AtomicBoolean();
    AtomicBoolean written = new AtomicBoolean();
    Store plain = stores.create().open(clock);
    Store noting =
        StoreHooks.after(plain, "replace", StoreHooks.once(armed, () -> written.set(true)));
    Store store =
        StoreHooks.after(
            noting, "find", StoreHooks.once(written, StoreHooks.fail(Kind.UNKNOWN_OUTCOME)));
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(SLOW);
      Schedules schedules = kit.engine().schedules();
      StartRequest pinned = StartRequest.of("slow").version(1);
      schedules.put(Schedule.every("hourly", Duration.ofHours(1), pinned), ALICE);
      armed.set(true);

      Optional<InstanceId> run = schedules.trigger("hourly", ONCE);

      assertThat(List.of(armed.get(), written.get())).containsOnly(false);
      assertThat(run).isPresent();
      assertThat(schedules.trigger("hourly", ONCE)).isEqualTo(run);
      assertThat(schedules.find("hourly", ALICE).orElseThrow().started()).isEqualTo(1);
      assertThat(runs(kit.engine())).extracting(Instance::id).containsExactly(run.orElseThrow());
      assertSound(plain);
    }
  }

  private static List<Instance> runs(Engine engine) {
    return engine.instances().list(InstanceQuery.ALL, ALICE);
  }
}
