package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real threads and real databases: messages that meet what they are for in any order. */
final class MessageRacesTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int THREADS = 4;
  private static final int EACH = 50;

  private static final String LISTENER =
      """
      waymark: 1
      key: listener
      start: listen
      activities:
        listen: { type: wait, with: { for: signal, key: storm } }
      """;

  private static final String PARENT =
      """
      waymark: 1
      key: parent
      start: go
      activities:
        go: { type: sub-workflow, with: { definition: child } }
      """;

  private static final String CHILD =
      """
      waymark: 1
      key: child
      variables: { grown: true }
      start: grow
      activities:
        grow: { type: end }
      """;

  private static String database() {
    return PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  }

  private static Store postgres(String url) {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_signal_among_starts_reaches_all_who_waited_before_it_and_nobody_twice(boolean sqlite)
      throws Exception {
    Store store = sqlite ? SqliteStore.inMemory(InstantSource.system()) : postgres(database());
    try (Engine engine = Engine.builder(store).start();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      engine.definitions().deploy(LISTENER, ALICE);
      CountDownLatch halfway = new CountDownLatch(THREADS);
      CountDownLatch sent = new CountDownLatch(1);
      List<Future<List<InstanceId>>> before = new ArrayList<>();
      List<Future<List<InstanceId>>> beside = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        before.add(
            threads.submit(
                () -> {
                  List<InstanceId> waiting = start(engine, EACH);
                  halfway.countDown();
                  return waiting;
                }));
      }
      for (int t = 0; t < THREADS; t++) {
        beside.add(threads.submit(() -> startUntil(engine, sent)));
      }
      assertThat(halfway.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(engine.messages().signal("storm", Map.of(), "radio", "1", ALICE)).isTrue();
      sent.countDown();

      for (InstanceId id : all(before)) {
        assertThat(engine.instances().awaitEnd(id, SOON, ALICE).status())
            .isEqualTo(Status.COMPLETED);
      }
      List<InstanceId> concurrent = all(beside);
      assertThat(engine.messages().signal("storm", Map.of(), "radio", "2", ALICE)).isTrue();
      for (InstanceId id : concurrent) {
        assertThat(engine.instances().awaitEnd(id, SOON, ALICE).status())
            .isEqualTo(Status.COMPLETED);
        assertThat(engine.instances().history(id, 1, 100, ALICE))
            .filteredOn(entry -> entry.type() == HistoryEntry.Type.BOOKMARK_CONSUMED)
            .hasSize(1);
      }
      assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
    }
  }

  private static List<InstanceId> start(Engine engine, int instances) {
    List<InstanceId> started = new ArrayList<>();
    for (int i = 0; i < instances; i++) {
      started.add(engine.instances().start(StartRequest.of("listener"), ALICE).orThrow());
    }
    return started;
  }

  private static List<InstanceId> startUntil(Engine engine, CountDownLatch sent) {
    List<InstanceId> started = new ArrayList<>();
    while (sent.getCount() > 0) {
      started.addAll(start(engine, 1));
    }
    started.addAll(start(engine, 5));
    return started;
  }

  private static List<InstanceId> all(List<Future<List<InstanceId>>> parts) throws Exception {
    List<InstanceId> all = new ArrayList<>();
    for (Future<List<InstanceId>> part : parts) {
      all.addAll(part.get(60, TimeUnit.SECONDS));
    }
    return all;
  }

  @Test
  void more_early_messages_than_one_look_can_hold_all_find_their_instances() {
    int instances = Limits.MESSAGES_PER_PAGE / 2;
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      kit.deploy(LISTENER.replace("signal, key: storm", "external-message, key: paid"));
      List<InstanceId> early = new ArrayList<>();
      for (int i = 0; i < instances; i++) {
        InstanceId id = InstanceId.derived("default", "c-" + i);
        early.add(id);
        for (int n = 0; n < 3; n++) {
          kit.engine().messages().send(id, "paid", Map.of("n", n), "bank", i + "-" + n, ALICE);
        }
      }
      for (int i = 0; i < instances; i++) {
        var unused =
            kit.engine()
                .instances()
                .startAsync(StartRequest.of("listener"), ALICE.withCommandId("c-" + i));
      }

      kit.runUntilIdle();

      assertThat(early).allSatisfy(id -> assertThat(kit.run(id)).isCompleted());
    }
  }

  @Test
  void two_nodes_that_find_the_same_requests_start_every_child_once() throws Exception {
    String url = database();
    Store store = postgres(url);
    Engine dying =
        Engine.builder(store)
            .crashPoints(
                point -> {
                  if (point == Point.C1_CHILD_ASKED) {
                    throw new IllegalStateException("died on purpose");
                  }
                })
            .start();
    dying.definitions().deploy(CHILD, ALICE);
    dying.definitions().deploy(PARENT, ALICE);
    List<InstanceId> parents = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      parents.add(dying.instances().start(StartRequest.of("parent"), ALICE).orThrow());
    }
    store.close();

    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Engine> first = threads.submit(() -> Engine.builder(postgres(url)).start());
      Future<Engine> second = threads.submit(() -> Engine.builder(postgres(url)).start());
      try (Engine one = first.get(60, TimeUnit.SECONDS);
          Engine two = second.get(60, TimeUnit.SECONDS);
          Store judge = postgres(url)) {
        for (InstanceId parent : parents) {
          Instance ended = two.instances().awaitEnd(parent, SOON, ALICE);
          assertThat(ended.variables()).containsEntry("grown", true);
          assertThat(one.instances().children(parent, ALICE))
              .singleElement()
              .satisfies(child -> assertThat(child.version()).isEqualTo(1));
        }
        assertThat(judge.checker().check(Options.live().replayingAll())).isEmpty();
      }
    }
  }

  @Test
  void a_child_that_a_strange_transaction_asked_for_is_started_soon_after_its_commit()
      throws Exception {
    String url = database();
    try (Engine engine = Engine.builder(postgres(url)).start();
        Connection connection =
            DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD)) {
      engine.definitions().deploy(CHILD, ALICE);
      engine.definitions().deploy(PARENT, ALICE);
      connection.setAutoCommit(false);
      InstanceId parent =
          engine.joining(connection).start(StartRequest.of("parent"), ALICE).orThrow();
      assertThat(engine.instances().find(parent, ALICE)).isEmpty();

      connection.commit();

      assertThat(engine.instances().awaitEnd(parent, SOON, ALICE).status())
          .isEqualTo(Status.COMPLETED);
    }
  }
}
