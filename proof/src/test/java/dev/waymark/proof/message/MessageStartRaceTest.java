package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Messages that two nodes find at the same time, and that begin runs. */
final class MessageStartRaceTest {

  private static final Caller SHOP = Caller.of("shop");
  private static final Duration SOON = Duration.ofSeconds(60);

  private static Correlated placed(String order, Object n, String id) {
    return Correlated.of("placed", order, Map.of("n", n), "shop", id);
  }

  private static Store postgres(String url) {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  private static Engine counting(String url, Set<InstanceId> begun, CountDownLatch all) {
    return Engine.builder(postgres(url))
        .activity(
            "count",
            context -> {
              if (begun.add(context.instance())) {
                all.countDown();
              }
              return ActivityResult.completed();
            })
        .start();
  }

  @Test
  void two_nodes_that_find_the_same_messages_begin_every_run_once() throws Exception {
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    int messages = 200;
    Set<InstanceId> begun = ConcurrentHashMap.newKeySet();
    CountDownLatch all = new CountDownLatch(messages);
    try (ExecutorService threads = Executors.newFixedThreadPool(2);
        Store judge = postgres(url);
        Engine one = counting(url, begun, all);
        Engine two = counting(url, begun, all)) {
      for (int i = 0; i < messages; i++) {
        one.messages().correlate(placed("o-" + i, i, "m-" + i), SHOP);
      }
      one.definitions()
          .deploy(
              """
              waymark: 1
              key: order
              startOn: placed
              start: a
              activities: { a: { type: count } }
              """,
              false,
              SHOP);

      Future<?> first = threads.submit(() -> one.definitions().activate("order", 1, SHOP));
      Future<?> second = threads.submit(() -> two.definitions().activate("order", 1, SHOP));
      first.get(60, TimeUnit.SECONDS);
      second.get(60, TimeUnit.SECONDS);
      assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();

      for (InstanceId run : begun) {
        assertThat(one.instances().awaitEnd(run, SOON, SHOP).status()).isEqualTo(Status.COMPLETED);
      }
      assertThat(two.instances().list(InstanceQuery.ALL.page(null, 1_000), SHOP)).hasSize(messages);
      assertThat(two.messages().unmatched(null, 10, SHOP)).isEmpty();
      assertThat(judge.checker().check(Options.live().replayingAll())).isEmpty();
    }
  }
}
