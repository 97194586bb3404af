package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.BookmarkQueries;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.Soon;
import dev.waymark.sqlite.SqliteStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Callers that say how long they wait, while the database gives no connection. */
final class CallerDeadlineTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller HURRIED = ANNA.withTimeout(Duration.ofMillis(200));

  /** Between a caller's time and that of the database, far from both on a busy machine. */
  private static final Duration SOON = Duration.ofSeconds(15);

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: user-task, with: { candidates: [anna] } }
      """;

  /** Gives connections, or lets everybody wait a minute for one. */
  private static final class Gate {

    private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile CountDownLatch open = new CountDownLatch(0);

    void shut() {
      open = new CountDownLatch(1);
    }

    void open() {
      open.countDown();
    }

    Connection connection() throws SQLException {
      most.accumulateAndGet(waiting.incrementAndGet(), Math::max);
      try {
        if (!open.await(60, TimeUnit.SECONDS)) {
          throw new SQLException("no connection within a minute", "08001");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SQLException("interrupted while it waited for a connection", "08001", e);
      } finally {
        waiting.decrementAndGet();
      }
      return DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
    }

    DataSource source() {
      return (DataSource)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("getConnection")) {
                  return connection();
                }
                throw new UnsupportedOperationException(method.getName());
              });
    }
  }

  private static Map<String, Consumer<Engine>> calls(InstanceId run, BookmarkId task) {
    Map<String, Consumer<Engine>> calls = new LinkedHashMap<>();
    calls.put("start", e -> e.instances().start(StartRequest.of("flow"), HURRIED));
    calls.put(
        "start by key",
        e -> e.instances().start(StartRequest.of("flow").businessKey("k"), HURRIED));
    calls.put(
        "start of a version",
        e -> e.instances().start(StartRequest.of("flow").version(1), HURRIED));
    calls.put("start of another", e -> e.instances().start(StartRequest.of("other"), HURRIED));
    calls.put(
        "startAsync",
        e -> {
          var unused = e.instances().startAsync(StartRequest.of("other"), HURRIED);
        });
    calls.put("resume", e -> e.bookmarks().resume(task, Map.of(), HURRIED));
    calls.put("versions", e -> e.definitions().versions("flow", HURRIED));
    calls.put("definition", e -> e.definitions().find("flow", 1, HURRIED));
    calls.put("find", e -> e.instances().find(run, HURRIED));
    calls.put("list", e -> e.instances().list(InstanceQuery.ALL, HURRIED));
    calls.put("counts", e -> e.instances().counts(HURRIED));
    calls.put("longRunning", e -> e.instances().longRunning(Duration.ofDays(1), null, 10, HURRIED));
    calls.put("children", e -> e.instances().children(run, HURRIED));
    calls.put("history", e -> e.instances().history(run, 1, 10, HURRIED));
    calls.put("stateAt", e -> e.instances().stateAt(run, 1, HURRIED));
    calls.put("diagram", e -> e.instances().diagram(run, HURRIED));
    calls.put("explain", e -> e.instances().explain(run, HURRIED));
    calls.put("task", e -> e.tasks().find(task, HURRIED));
    calls.put("inbox", e -> e.tasks().inbox(10, HURRIED));
    calls.put("tasks of", e -> e.tasks().of("anna", InboxPlace.START, 10, HURRIED));
    calls.put("claim", e -> e.bookmarks().claim(task, Duration.ofMinutes(1), HURRIED));
    calls.put("claimNext", e -> e.bookmarks().claimNext(Duration.ofMinutes(1), HURRIED));
    calls.put("wait", look(look -> look.find(task, HURRIED)));
    calls.put("waits by key", look(look -> look.byKey("ask", HURRIED)));
    calls.put("waits by correlation", look(look -> look.byCorrelation("c", HURRIED)));
    calls.put("waits", look(look -> look.open(BookmarkKind.USER_ACTION, null, 10, HURRIED)));
    calls.put("statistics", look(look -> look.statistics(HURRIED)));
    calls.put("health", look(look -> look.health(HURRIED)));
    calls.put("schedule", e -> e.schedules().find("s", HURRIED));
    calls.put("schedules", e -> e.schedules().list(null, 10, HURRIED));
    return calls;
  }

  private static Consumer<Engine> look(Consumer<BookmarkQueries> question) {
    return engine -> question.accept(engine.bookmarks().look());
  }

  @Test
  void only_a_bounded_number_of_questions_is_asked_at_a_time() throws Exception {
    int many = 4 * Limits.TIMED_QUESTIONS;
    Caller patient = ANNA.withTimeout(Duration.ofSeconds(3));
    Gate gate = new Gate();
    try (PostgresStore store = PostgresStore.on(gate.source(), PostgresOptions.DEFAULTS);
        Engine engine = Engine.builder(store).start();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      gate.shut();
      List<Future<?>> told = new ArrayList<>();
      try {
        for (int i = 0; i < many; i++) {
          told.add(callers.submit(() -> engine.instances().list(InstanceQuery.ALL, patient)));
        }
        for (Future<?> one : told) {
          assertThatThrownBy(one::get).hasCauseInstanceOf(DeadlinePassed.class);
        }
      } finally {
        gate.open();
      }

      // The engine's own work waits beside them.
      assertThat(gate.most.get()).isLessThan(2 * Limits.TIMED_QUESTIONS);
      assertThat(engine.instances().list(InstanceQuery.ALL, ANNA.withTimeout(SOON))).isEmpty();
    }
  }

  @Test
  void inside_a_transaction_they_are_answered_on_its_thread() {
    Caller patient = ANNA.withTimeout(SOON);
    try (Engine engine = Engine.builder(SqliteStore.inMemory(InstantSource.system())).start()) {
      engine.definitions().deploy(FLOW, ANNA);

      InstanceId run =
          engine.inTransaction(
              tx -> {
                InstanceId begun = tx.start(StartRequest.of("flow"), ANNA).orThrow();
                assertThat(engine.instances().find(begun, patient)).isPresent();
                return begun;
              });

      assertThat(engine.instances().find(run, patient)).isPresent();
    }
  }

  @Test
  void they_wait_no_longer_than_they_said() throws Exception {
    Gate gate = new Gate();
    try (PostgresStore store = PostgresStore.on(gate.source(), PostgresOptions.DEFAULTS);
        Engine engine = Engine.builder(store).start()) {
      engine.definitions().deploy(FLOW, ANNA);
      InstanceId run = engine.instances().start(StartRequest.of("flow"), ANNA).orThrow();
      BookmarkId task = engine.instances().find(run, ANNA).orElseThrow().bookmarks().firstKey();
      gate.shut();
      try {
        calls(run, task)
            .forEach(
                (name, call) -> {
                  long began = System.nanoTime();
                  assertThatThrownBy(() -> call.accept(engine))
                      .as(name)
                      .isInstanceOf(DeadlinePassed.class);
                  assertThat(Duration.ofNanos(System.nanoTime() - began)).as(name).isLessThan(SOON);
                });

        // Only the engine's own work still waits for a connection, also on the lanes that join in
        // where one is stuck; each of the calls would be one more.
        int few = calls(run, task).size() / 2;
        assertThat(Soon.until(SOON, gate.waiting::get, count -> count < few)).isLessThan(few);
      } finally {
        gate.open();
      }
      // Whether the answer that was given up still counts is not known to who gave it.
      assertThat(engine.instances().find(run, ANNA.withTimeout(SOON))).isPresent();
    }
  }
}
