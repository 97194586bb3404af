package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.StoreHooks;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A node whose first question for the database's time is long under way, in real time. */
final class SlowRegistrationTest {

  private static final Caller ALICE = Caller.of("alice");

  private static final String BELL =
      """
      waymark: 1
      key: bell
      start: listen
      activities:
        listen: { type: wait, with: { for: signal, key: bell } }
      """;

  private static Store store(String url) {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  /** The node's clock would be ahead by as much as a signal may be sent before a wait began. */
  @Test
  void its_runs_hear_the_signals_of_other_nodes() {
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    Store slow =
        StoreHooks.before(
            store(url), "register", StoreHooks.once(first, () -> passes(never, 2_000)));
    try (Engine other = Engine.builder(store(url)).start();
        Engine node = Engine.builder(slow).start()) {
      other.definitions().deploy(BELL, ALICE);
      InstanceId run = node.instances().start(StartRequest.of("bell"), ALICE).orThrow();

      other.messages().signal("bell", Map.of(), "test", "1", ALICE);

      assertThat(node.instances().awaitEnd(run, Duration.ofSeconds(20), ALICE).status())
          .isEqualTo(Status.COMPLETED);
    }
  }

  private static void passes(CountDownLatch never, long millis) {
    try {
      assertThat(never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
