package dev.waymark.proof.death;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.internal.node.ThreadScheduler;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.testkit.KillSwitch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node dies with bodies under way, and another one runs them again. Real nodes, real time. */
final class TakeoverTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final int BODIES = 5;
  private static final String WORK =
      """
      waymark: 1
      key: flow
      start: work
      activities:
        work: { type: work, with: { bad: "${ Variables.bad }" }, timeout: PT3S, retry: { attempts: 1 } }
      """;

  private static final Settings SHORT_LEASE =
      new Settings(
          Duration.ofSeconds(2),
          Duration.ofMillis(400),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofMillis(20),
          100,
          1_000,
          Duration.ofSeconds(30),
          Settings.DEFAULT.suspectAfter(),
          Settings.DEFAULT.unusedPayloads(),
          Settings.DEFAULT.largestPayload(),
          false);

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final KillSwitch killSwitch = new KillSwitch(Point.P0_BEFORE_TAKE, 1);
  private final ThreadScheduler dying = new ThreadScheduler();
  private final Store store = open();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void close() {
    over.countDown();
    dying.close();
    store.close();
  }

  @Test
  void after_one_crash_bodies_run_beside_each_other() throws Exception {
    List<InstanceId> runs = beginAndDie(BODIES, 0);
    CyclicBarrier together = new CyclicBarrier(BODIES);

    try (Engine heir =
        heir(
            SHORT_LEASE,
            context -> {
              together.await(20, TimeUnit.SECONDS);
              return ActivityResult.completed();
            })) {
      for (InstanceId run : runs) {
        assertThat(heir.instances().awaitEnd(run, Duration.ofSeconds(30), ALICE).status())
            .isEqualTo(Status.COMPLETED);
      }
    }
  }

  @Test
  void a_suspect_that_hangs_keeps_no_other_from_running_and_who_waits_has_not_begun()
      throws Exception {
    List<InstanceId> runs = beginAndDie(BODIES, 1);
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    AtomicBoolean enough = new AtomicBoolean();

    try (Engine heir =
        heir(
            SHORT_LEASE.withSuspectAfter(1),
            context -> {
              hangs.countDown();
              if (Boolean.TRUE.equals(context.input().get("bad"))) {
                while (!enough.get()) {
                  Thread.onSpinWait();
                }
              } else {
                seen.await();
              }
              return ActivityResult.completed();
            })) {
      assertThat(hangs.await(30, TimeUnit.SECONDS)).isTrue();
      while (states(heir, runs).stream().filter(State.READY::equals).count() < BODIES) {
        Thread.onSpinWait();
      }
      assertThat(states(heir, runs)).containsOnlyOnce(State.RUNNING);
      seen.countDown();

      for (InstanceId run : runs.subList(0, BODIES)) {
        assertThat(heir.instances().awaitEnd(run, Duration.ofSeconds(30), ALICE).status())
            .isEqualTo(Status.COMPLETED);
      }
      enough.set(true);
    }
  }

  private static List<State> states(Engine engine, List<InstanceId> runs) {
    return runs.stream()
        .flatMap(
            run -> engine.instances().find(run, ALICE).orElseThrow().activities().values().stream())
        .map(ActivityInstance::state)
        .toList();
  }

  /** Runs bodies on a node that then dies: it reaches its database no more. */
  private List<InstanceId> beginAndDie(int good, int bad) throws Exception {
    CountDownLatch begun = new CountDownLatch(good + bad);
    Engine engine =
        builder(killSwitch.guard(store))
            .scheduler(dying)
            .settings(SHORT_LEASE)
            .activity(
                "work",
                context -> {
                  begun.countDown();
                  over.await();
                  return ActivityResult.completed();
                })
            .start();
    engine.definitions().deploy(WORK, ALICE);
    List<InstanceId> runs = new ArrayList<>();
    for (int i = 0; i < good + bad; i++) {
      StartRequest request = StartRequest.of("flow").input(Map.of("bad", i >= good));
      runs.add(engine.instances().start(request, ALICE).orThrow());
    }
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> killSwitch.at(Point.P0_BEFORE_TAKE))
        .isInstanceOf(KillSwitch.Killed.class);
    return runs;
  }

  private Engine heir(Settings settings, Activity activity) {
    return builder(open()).settings(settings).activity("work", activity).start();
  }

  private static EngineBuilder builder(Store store) {
    return Engine.builder(store);
  }

  private Store open() {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }
}
