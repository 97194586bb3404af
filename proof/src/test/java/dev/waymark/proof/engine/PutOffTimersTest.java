package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Correction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Soon;
import dev.waymark.proof.support.StoreHooks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A timer of a held run that comes due while the run is let go. */
final class PutOffTimersTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Instant FAR = Instant.parse("9000-01-01T00:00:00Z");
  private static final String NAP =
      """
      waymark: 1
      key: nap
      start: nap
      activities: { nap: { type: timer, with: { after: PT3S } } }
      """;

  private final CountDownLatch caught = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicBoolean armed = new AtomicBoolean();

  /**
   * One node puts the timer off; the other has decided to let the run go, does not know that yet,
   * and fires the timer behind it.
   */
  @Test
  void a_timer_that_fires_right_behind_the_end_of_a_hold_does_not_keep_the_run_from_going_on()
      throws Exception {
    String url = RealStores.database();
    Store slow =
        StoreHooks.before(RealStores.postgres(url), "commit", StoreHooks.once(armed, this::hold));
    try (Engine other = Engine.builder(RealStores.postgres(url)).start();
        Engine engine = Engine.builder(slow).start()) {
      other.definitions().deploy(NAP, ALICE);
      InstanceId run = other.instances().start(StartRequest.of("nap"), ALICE).orThrow();
      other.operations().suspend(run, "wait", ALICE).orThrow();
      armed.set(true);
      CompletableFuture<Answer> edited =
          CompletableFuture.supplyAsync(
              () ->
                  engine
                      .operations()
                      .edit(
                          run,
                          new Correction.SetVariables(Map.of("x", 1), List.of()),
                          "to have a step under way",
                          ALICE));
      caught.await();
      CompletableFuture<Answer> letGo =
          CompletableFuture.supplyAsync(
              () -> engine.operations().continueInstance(run, "go", ALICE));
      Soon.until(SOON, () -> timer(other, run).due(), due -> due != null && due.isAfter(FAR));

      open.countDown();

      edited.join().orThrow();
      letGo.join().orThrow();
      assertThat(engine.instances().awaitEnd(run, SOON, ALICE).status())
          .isEqualTo(Status.COMPLETED);
      assertThat(slow.checker().check(Checker.Options.atRest())).isEmpty();
    }
  }

  private void hold() {
    caught.countDown();
    try {
      assertThat(open.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Bookmark timer(Engine engine, InstanceId run) {
    return engine.instances().find(run, ALICE).orElseThrow().bookmarks().values().iterator().next();
  }
}
