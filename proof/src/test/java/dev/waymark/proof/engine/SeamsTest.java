package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an application may put into the engine from outside, and what must then be true. */
final class SeamsTest {

  private static final Caller ALICE = Caller.of("alice");

  @Test
  void a_body_that_takes_too_long_is_interrupted_and_tried_again() {
    AtomicInteger attempts = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    try (Engine engine =
        Engine.builder(SqliteStore.inMemory(InstantSource.system()))
            .activity(
                "work",
                context -> {
                  if (attempts.incrementAndGet() == 1) {
                    never.await();
                  }
                  return ActivityResult.completed(Map.of("attempt", context.attempt()));
                })
            .start()) {
      engine
          .definitions()
          .deploy(
              """
              waymark: 1
              key: flow
              start: work
              activities:
                work:
                  type: work
                  timeout: PT0.2S
                  retry: { attempts: 2, backoff: PT0.1S, maxBackoff: PT1S, jitter: 0 }
              """,
              ALICE);
      InstanceId id = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();

      var ended = engine.instances().awaitEnd(id, Duration.ofSeconds(20), ALICE);

      assertThat(ended.status()).isEqualTo(Status.COMPLETED);
      assertThat(ended.variables()).containsEntry("attempt", 2L);
      assertThat(engine.instances().history(id, 1, 10, ALICE))
          .anySatisfy(entry -> assertThat(entry.detail()).containsEntry("code", "TIMEOUT"));
    }
  }

  @Test
  void a_message_whose_receiver_died_before_looking_is_found_by_the_next_process() {
    VirtualClock clock = new VirtualClock();
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    boolean[] dies = {true};
    WorkflowTestKit first =
        WorkflowTestKit.on(
            postgres(url, clock),
            clock,
            b ->
                b.crashPoints(
                    point -> {
                      if (point == Point.I1_MESSAGE_STORED && dies[0]) {
                        throw new IllegalStateException("died on purpose");
                      }
                    }));
    first.deploy(
        """
        waymark: 1
        key: flow
        start: listen
        activities:
          listen: { type: wait, with: { for: external-message, key: paid }, next: end }
          end: { type: end }
        """);
    Run run = first.start("flow", Map.of());
    assertThatThrownBy(
            () ->
                first
                    .engine()
                    .messages()
                    .send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE))
        .hasMessageContaining("died on purpose");
    first.runUntilIdle();
    assertThat(run).isWaitingAt("listen");

    try (WorkflowTestKit next = WorkflowTestKit.on(postgres(url, clock), clock, b -> {})) {
      assertThat(next.run(run.id())).isCompleted().hasVariable("sum", 5);
    }
    dies[0] = false;
    first.close();
  }

  private static Store postgres(String url, VirtualClock clock) {
    return PostgresStore.open(
        url,
        PostgresServer.USER,
        PostgresServer.PASSWORD,
        PostgresOptions.DEFAULTS.withVirtualTime(clock));
  }

  @Test
  void the_trace_of_a_caller_reaches_the_body() {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    String[] seen = new String[1];
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "work",
                    c -> {
                      seen[0] = c.traceParent();
                      return ActivityResult.completed();
                    }))) {
      kit.deploy("waymark: 1\nkey: flow\nstart: work\nactivities:\n  work: { type: work }\n");

      kit.engine()
          .instances()
          .start(StartRequest.of("flow"), ALICE.withTraceParent(trace))
          .orThrow();
      kit.runUntilIdle();

      assertThat(seen[0]).isEqualTo(trace);
    }
  }
}
