package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.proof.support.Soon;
import dev.waymark.sqlite.SqliteStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Threads that go on although their body was stopped are seen. */
final class HangingBodiesTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: hang
      activities:
        hang: { type: hang, timeout: PT0.2S, retry: { attempts: 1 } }
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  @Test
  void a_body_that_ignores_its_interrupt_is_counted_until_its_thread_returns() throws Exception {
    try (Engine engine = start()) {
      InstanceId run = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();
      begun.await();
      assertThat(engine.load().hanging()).isZero();

      Soon.until(PATIENCE, () -> status(engine, run), is -> is == Status.SUSPENDED);
      assertThat(engine.load().hanging()).isEqualTo(1);
      assertThat(engine.load().bodies()).isZero();

      open.countDown();
      Soon.until(PATIENCE, () -> engine.load().hanging(), is -> is == 0);
      assertThat(status(engine, run)).isEqualTo(Status.SUSPENDED);
    }
  }

  @Test
  void a_body_whose_run_is_cancelled_is_counted_too() throws Exception {
    try (Engine engine = start()) {
      InstanceId run = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();
      begun.await();

      engine.operations().cancel(run, "not wanted any more", ALICE).orThrow();
      Soon.until(PATIENCE, () -> engine.load().hanging(), is -> is == 1);

      open.countDown();
      Soon.until(PATIENCE, () -> engine.load().hanging(), is -> is == 0);
    }
  }

  private static Status status(Engine engine, InstanceId run) {
    return engine.instances().find(run, ALICE).orElseThrow().status();
  }

  private Engine start() {
    Engine engine =
        Engine.builder(SqliteStore.inMemory(InstantSource.system()))
            .activity(
                "hang",
                context -> {
                  begun.countDown();
                  while (open.getCount() > 0) {
                    try {
                      open.await();
                    } catch (InterruptedException e) {
                      // It goes on, as code that swallows its interrupt does.
                    }
                  }
                  return ActivityResult.completed();
                })
            .start();
    engine.definitions().deploy(FLOW, ALICE);
    return engine;
  }
}
