package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.sqlite.SqliteStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** To wait for an end costs next to nothing, and ends on other nodes are heard of. */
final class AwaitedEndsTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String ASK =
      """
      waymark: 1
      key: ask
      start: ask
      activities: { ask: { type: wait } }
      """;

  private static final Settings POLLS_FAST =
      new Settings(
          Duration.ofSeconds(15),
          Duration.ofSeconds(5),
          Duration.ofMillis(50),
          Duration.ofSeconds(1),
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

  @Test
  void the_longer_a_caller_waits_the_rarer_the_store_is_asked() {
    AtomicInteger asked = new AtomicInteger();
    Store store =
        StoreHooks.before(
            SqliteStore.inMemory(InstantSource.system()), "ended", asked::incrementAndGet);
    try (Engine engine = Engine.builder(store).settings(POLLS_FAST).start()) {
      engine.definitions().deploy(ASK, ALICE);
      InstanceId run = engine.instances().start(StartRequest.of("ask"), ALICE).orThrow();

      assertThatExceptionOfType(DeadlinePassed.class)
          .isThrownBy(() -> engine.instances().awaitEnd(run, Duration.ofSeconds(3), ALICE));

      // Of at most 60 polls those after 2, 4, 8, 16, 24, 32, 40, 48 and 56.
      assertThat(asked).hasValueBetween(2, 10);
    }
  }

  @Test
  void an_end_on_another_node_is_heard_of() {
    String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    try (Engine here = engine(url);
        Engine there = engine(url)) {
      here.definitions().deploy(ASK, ALICE);
      InstanceId run = here.instances().start(StartRequest.of("ask"), ALICE).orThrow();
      CompletableFuture<Status> end =
          CompletableFuture.supplyAsync(
              () -> here.instances().awaitEnd(run, Duration.ofSeconds(30), ALICE).status());

      there
          .bookmarks()
          .resume(
              there.instances().find(run, ALICE).orElseThrow().bookmarks().firstKey(),
              Map.of(),
              ALICE)
          .orThrow();

      assertThat(end.join()).isEqualTo(Status.COMPLETED);
    }
  }

  private static Engine engine(String url) {
    return Engine.builder(
            PostgresStore.open(
                url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS))
        .start();
  }
}
