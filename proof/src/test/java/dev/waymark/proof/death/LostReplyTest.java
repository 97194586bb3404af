package dev.waymark.proof.death;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A node that lost the reply to a commit, while the caller asked another node. On PostgreSQL only:
 * on SQLite one node is alive, and it calls the database in its own process.
 */
final class LostReplyTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String PAY =
      """
      waymark: 1
      key: pay
      start: note
      activities:
        note: { type: set, with: { when: "${ Context.time }" }, next: charge }
        charge: { type: charge }
      """;

  /**
   * Loses the connection before a commit reaches the server, once, and holds the second try until
   * the test lets it go.
   */
  private static final class CutOnce implements CrashPoints {
    private final AtomicInteger commits = new AtomicInteger();
    private final CountDownLatch second = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private volatile boolean armed;

    @Override
    public void at(Point point) {
      if (!armed || point != Point.P3_BEFORE_COMMIT) {
        return;
      }
      int commit = commits.incrementAndGet();
      if (commit == 1) {
        throw new StoreException(
            StoreException.Kind.UNKNOWN_OUTCOME, "cut by the test", new IOException());
      }
      if (commit == 2) {
        second.countDown();
        await(letGo);
      }
    }

    static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void a_node_does_not_take_the_step_of_another_under_the_same_id_for_its_own() {
    CutOnce cut = new CutOnce();
    CountDownLatch aIsTold = new CountDownLatch(1);
    List<String> bodies = new CopyOnWriteArrayList<>();
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    try (Store checked = open(url);
        Engine a = engine("a", open(url), cut, bodies, aIsTold);
        Engine b = engine("b", open(url), CrashPoints.NONE, bodies, aIsTold)) {
      a.definitions().deploy(PAY, ALICE);
      Caller named = ALICE.withCommandId("order-1");

      cut.armed = true;
      CompletableFuture<Answer> viaA = a.instances().startAsync(StartRequest.of("pay"), named);
      CutOnce.await(cut.second);
      InstanceId run = b.instances().start(StartRequest.of("pay"), named).orThrow();
      cut.letGo.countDown();

      assertThat(viaA.orTimeout(20, TimeUnit.SECONDS).join()).isInstanceOf(Answer.Unchanged.class);
      aIsTold.countDown();
      assertThat(b.instances().awaitEnd(run, Duration.ofSeconds(20), ALICE).status())
          .isEqualTo(Status.COMPLETED);
      assertThat(bodies).containsExactly("b");
      assertThat(checked.checker().check(Checker.Options.live().replayingAll())).isEmpty();
    }
  }

  private static Store open(String url) {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  private static Engine engine(
      String name, Store store, CrashPoints crash, List<String> bodies, CountDownLatch held) {
    return Engine.builder(store)
        .name(name)
        .crashPoints(crash)
        .activity(
            "charge",
            context -> {
              bodies.add(name);
              CutOnce.await(held);
              return ActivityResult.completed(Map.of("by", name));
            })
        .start();
  }
}
