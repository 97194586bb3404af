package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.sqlite.SqliteStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An application that goes back to a savepoint of its own inside a transaction it shares. */
final class SavepointsTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String ASKING =
      """
      waymark: 1
      key: asking
      start: ask
      activities:
        ask: { type: wait }
      """;

  enum Kind {
    POSTGRES,
    SQLITE
  }

  enum Way {
    CALL {
      @Override
      void undo(Connection connection, Work work) throws Exception {
        Savepoint before = connection.setSavepoint();
        work.run();
        connection.rollback(before);
      }
    },
    TEXT {
      @Override
      void undo(Connection connection, Work work) throws Exception {
        execute(connection, "savepoint mine");
        work.run();
        execute(connection, "Rollback to mine");
      }
    },
    PREPARED_TEXT {
      @Override
      void undo(Connection connection, Work work) throws Exception {
        execute(connection, "savepoint mine");
        work.run();
        try (PreparedStatement back = connection.prepareStatement("rollback to savepoint mine")) {
          back.execute();
        }
      }
    };

    abstract void undo(Connection connection, Work work) throws Exception;
  }

  interface Work {
    void run() throws Exception;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
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

  static Stream<Arguments> cases() {
    return Stream.of(Kind.values())
        .flatMap(kind -> Stream.of(Way.values()).map(way -> Arguments.of(kind, way)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void an_answer_that_was_undone_is_not_told_and_the_one_before_it_is(Kind kind, Way way)
      throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    Store store = StoreHooks.after(store(kind), "ended", asked::countDown);
    try (Engine engine = Engine.builder(store).start();
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      engine.definitions().deploy(ASKING, ALICE);
      InstanceId kept = engine.instances().start(StartRequest.of("asking"), ALICE).orThrow();
      InstanceId undone = engine.instances().start(StartRequest.of("asking"), ALICE).orThrow();
      BookmarkId keptAsk = ask(engine, kept);
      BookmarkId undoneAsk = ask(engine, undone);
      Future<Instance> keptEnd =
          threads.submit(() -> engine.instances().awaitEnd(kept, SOON, ALICE));
      Future<Instance> undoneEnd =
          threads.submit(() -> engine.instances().awaitEnd(undone, SOON, ALICE));
      assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();

      var unused =
          engine.inTransaction(
              joined -> {
                joined.resume(keptAsk, Map.of("said", "first"), ALICE).orThrow();
                way.undo(
                    joined.connection(),
                    () -> joined.resume(undoneAsk, Map.of("said", "undone"), ALICE).orThrow());
                return true;
              });

      assertThat(keptEnd.get(20, TimeUnit.SECONDS).variables()).containsEntry("said", "first");
      engine.bookmarks().resume(undoneAsk, Map.of("said", "second"), ALICE).orThrow();
      assertThat(undoneEnd.get(20, TimeUnit.SECONDS).variables()).containsEntry("said", "second");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_an_ordinary_transaction_wrote_is_told_without_a_read(Kind kind) {
    AtomicInteger reads = new AtomicInteger();
    Store store = StoreHooks.before(store(kind), "history", reads::incrementAndGet);
    try (Engine engine = Engine.builder(store).start()) {
      engine.definitions().deploy(ASKING, ALICE);
      InstanceId run = engine.instances().start(StartRequest.of("asking"), ALICE).orThrow();
      BookmarkId ask = ask(engine, run);

      engine
          .inTransaction(
              joined -> {
                execute(joined.connection(), "create table mine(id text)");
                joined.connection().releaseSavepoint(joined.connection().setSavepoint());
                return joined.resume(ask, Map.of(), ALICE);
              })
          .orThrow();

      assertThat(engine.instances().awaitEnd(run, SOON, ALICE).id()).isEqualTo(run);
      assertThat(reads).hasValue(0);
    }
  }

  private static BookmarkId ask(Engine engine, InstanceId run) {
    return engine.instances().find(run, ALICE).orElseThrow().bookmarks().firstKey();
  }
}
