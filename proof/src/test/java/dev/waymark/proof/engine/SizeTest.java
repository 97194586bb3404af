package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
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
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large documents, long histories, many at once: they work, on both databases. */
final class SizeTest {

  private static final Caller ALICE = Caller.of("alice");

  enum Kind {
    POSTGRES,
    SQLITE
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

  @ParameterizedTest
  @EnumSource
  void a_document_of_a_megabyte_is_carried_through(Kind kind) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      lines.add("line %05d %s".formatted(i, "x".repeat(90)));
    }
    try (Engine engine =
        Engine.builder(store(kind))
            .activity(
                "count",
                context ->
                    ActivityResult.completed(
                        Map.of("n", ((List<?>) context.variables().get("lines")).size())))
            .start()) {
      engine
          .definitions()
          .deploy(
              """
              waymark: 1
              key: big
              start: count
              activities:
                count: { type: count, next: ask }
                ask: { type: wait, next: end }
                end: { type: end }
              """,
              ALICE);

      InstanceId id =
          engine
              .instances()
              .start(StartRequest.of("big").input(Map.of("lines", lines)), ALICE)
              .orThrow();
      var waiting = awaitBookmark(engine, id);
      engine.bookmarks().resume(waiting, Map.of("ok", true), ALICE).orThrow();

      var ended = engine.instances().awaitEnd(id, Duration.ofSeconds(20), ALICE);
      assertThat(ended.variables()).containsEntry("n", 10_000L).containsEntry("lines", lines);
      assertThat(engine.instances().history(id, 3, 10, ALICE).get(0).changes())
          .as("what a resume changed of a megabyte")
          .hasSizeLessThan(6);
    }
  }

  private static dev.waymark.core.instance.BookmarkId awaitBookmark(Engine engine, InstanceId id) {
    while (true) {
      var bookmarks = engine.instances().find(id, ALICE).orElseThrow().bookmarks();
      if (!bookmarks.isEmpty()) {
        return bookmarks.firstKey();
      }
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_history_of_ten_thousand_steps_can_be_read_and_rebuilt(Kind kind) {
    try (Engine engine =
        Engine.builder(store(kind))
            .activity(
                "count",
                context ->
                    ActivityResult.completed(Map.of("n", context.variable("n", Integer.class) + 1)))
            .start()) {
      engine
          .definitions()
          .deploy(
              """
              waymark: 1
              key: long
              maxVisits: 20000
              start: count
              activities:
                count: { type: count, next: [{ when: "Variables.n < 10000", to: count }, { to: end }] }
                end: { type: end }
              """,
              ALICE);

      InstanceId id =
          engine.instances().start(StartRequest.of("long").input(Map.of("n", 0)), ALICE).orThrow();
      var ended = engine.instances().awaitEnd(id, Duration.ofSeconds(100), ALICE);

      assertThat(ended.status()).isEqualTo(Status.COMPLETED);
      assertThat(ended.version()).isEqualTo(10_001);
      assertThat(engine.instances().stateAt(id, 9_999, ALICE).orElseThrow().variables())
          .containsEntry("n", 9_998L);
      assertThat(engine.instances().history(id, 9_990, 5, ALICE)).hasSize(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_thousand_instances_run_at_once(Kind kind) throws Exception {
    CountDownLatch together = new CountDownLatch(1_000);
    try (Engine engine =
        Engine.builder(store(kind))
            .activity(
                "meet",
                context -> {
                  together.countDown();
                  if (!together.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("Not everybody came");
                  }
                  return ActivityResult.completed();
                })
            .start()) {
      engine
          .definitions()
          .deploy(
              """
              waymark: 1
              key: meeting
              start: meet
              activities:
                meet: { type: meet }
              """,
              ALICE);
      List<InstanceId> started = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        started.add(engine.instances().start(StartRequest.of("meeting"), ALICE).orThrow());
      }

      assertThat(together.await(60, TimeUnit.SECONDS)).isTrue();
      for (InstanceId id : started) {
        assertThat(engine.instances().awaitEnd(id, Duration.ofSeconds(60), ALICE).status())
            .isEqualTo(Status.COMPLETED);
      }
    }
  }
}
