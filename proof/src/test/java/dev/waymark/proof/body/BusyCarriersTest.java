package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies that compute on every core, and never look whether they were interrupted. */
final class BusyCarriersTest {

  private static final Caller ALICE = Caller.of("alice").withTimeout(Duration.ofSeconds(10));
  private static final String SPIN =
      """
      waymark: 1
      key: spin
      start: spin
      activities:
        spin: { type: spin, timeout: PT1S, retry: { attempts: 1 } }
      """;
  private static final String NAP =
      """
      waymark: 1
      key: nap
      start: nap
      activities:
        nap: { type: timer, with: { after: PT4S } }
      """;

  /** A node that would be dead soon if it could not renew. */
  private static final Settings SHORT_LEASE =
      new Settings(
          Duration.ofSeconds(3),
          Duration.ofMillis(500),
          Duration.ofMillis(500),
          Duration.ofMillis(500),
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

  enum Kind {
    POSTGRES,
    SQLITE
  }

  @ParameterizedTest
  @EnumSource
  void they_leave_the_engine_alive(Kind kind) throws Exception {
    computeOnEveryCore(kind, 0);
  }

  /**
   * Code that has been quick runs on the engine's own threads; they are replaced while it hangs.
   */
  @ParameterizedTest
  @EnumSource
  void they_leave_the_engine_alive_also_if_their_type_has_been_quick(Kind kind) throws Exception {
    computeOnEveryCore(kind, 200);
  }

  private static void computeOnEveryCore(Kind kind, int quickRuns) throws Exception {
    AtomicBoolean enough = new AtomicBoolean(true);
    int cores = Runtime.getRuntime().availableProcessors();
    CountDownLatch spinning = new CountDownLatch(cores);
    int bodies = quickRuns == 0 ? cores : 200;
    try (Engine engine =
        Engine.builder(store(kind))
            .settings(SHORT_LEASE)
            .activity(
                "spin",
                context -> {
                  if (!enough.get()) {
                    spinning.countDown();
                  }
                  while (!enough.get()) {
                    Thread.onSpinWait();
                  }
                  return ActivityResult.completed();
                })
            .start()) {
      engine.definitions().deploy(SPIN, ALICE);
      engine.definitions().deploy(NAP, ALICE);
      for (int i = 0; i < quickRuns; i++) {
        InstanceId quick = engine.instances().start(StartRequest.of("spin"), ALICE).orThrow();
        engine.instances().awaitEnd(quick, Duration.ofSeconds(10), ALICE);
      }
      enough.set(false);
      NodeId node = engine.node();
      List<InstanceId> busy = new ArrayList<>();
      for (int i = 0; i < bodies; i++) {
        busy.add(engine.instances().start(StartRequest.of("spin"), ALICE).orThrow());
      }
      assertThat(spinning.await(20, TimeUnit.SECONDS)).isTrue();
      try {
        Answer answer = engine.instances().start(StartRequest.of("nap"), ALICE);

        assertThat(answer).isInstanceOf(Answer.Done.class);
        assertThat(
                engine
                    .instances()
                    .awaitEnd(answer.orThrow(), Duration.ofSeconds(20), ALICE)
                    .status())
            .isEqualTo(Status.COMPLETED);
        assertThat(engine.node()).isEqualTo(node);
        assertThat(busy.subList(0, quickRuns == 0 ? cores : 0))
            .allSatisfy(
                id ->
                    assertThat(
                            engine.instances().find(id, ALICE).orElseThrow().activities().values())
                        .extracting(ActivityInstance::state)
                        .containsExactly(ActivityInstance.State.PARKED));
      } finally {
        enough.set(true);
      }
    }
  }

  private static Store store(Kind kind) {
    return kind == Kind.SQLITE
        ? SqliteStore.inMemory(InstantSource.system())
        : PostgresStore.open(
            PostgresServer.shared().url(PostgresServer.shared().newDatabase()),
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS);
  }
}
