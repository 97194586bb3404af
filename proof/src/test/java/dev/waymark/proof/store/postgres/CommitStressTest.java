package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commit statement promises, under everybody who may touch its rows at once. */
class CommitStressTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final Duration HELD = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final String ASK =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: wait, next: end }
        end: { type: end }
      """;

  @Test
  void a_stress_leaves_no_half_step_and_spends_no_stale_fence(TestReporter report)
      throws Exception {
    StressFigures figures = Stress.run(Duration.ofSeconds(6));
    report.publishEntry("locked", figures.toString());

    assertThat(figures.halfSteps()).isEmpty();
    assertThat(figures.staleByRow()).isEmpty();
    assertThat(figures.staleByClaims()).isEmpty();
    assertThat(figures.outcomes())
        .containsOnlyKeys(Outcome.COMMITTED, Outcome.STALE, Outcome.BUSY, Outcome.NOT_SPENDABLE);
    assertThat(figures.steps()).isGreaterThan(100);
    assertThat(figures.takeovers()).isGreaterThan(100);
    assertThat(figures.holds()).isPositive();
  }

  /** Where the fence is read in the statement's snapshot, a claim in flight goes unseen. */
  @Test
  void the_same_stress_with_the_fence_unlocked_spends_stale_fences(TestReporter report)
      throws Exception {
    StressFigures figures =
        Stress.runBroken(
            Duration.ofSeconds(4),
            Map.of(
                "for update skip locked\n   ) b\n",
                "\n   ) b\n",
                // Found by its place, a row that was claimed meanwhile would not be found at all.
                "b.ctid = spend.place",
                "b.instance_id = (select id from ok where ok.n = spend.n) and b.tag = spend.tag"));
    report.publishEntry("unlocked", figures.toString());

    assertThat(figures.staleByRow()).isNotEmpty();
    assertThat(figures.staleByClaims()).isNotEmpty();
  }

  /** Where one write does not join the units that passed, it happens for the others too. */
  @Test
  void the_same_stress_with_a_write_past_the_gates_leaves_half_steps(TestReporter report)
      throws Exception {
    StressFigures figures =
        Stress.runBroken(
            Duration.ofSeconds(1),
            Map.of("from ok\n    join event using (n)", "from unit ok\n    join event using (n)"));
    report.publishEntry("ungated", figures.toString());

    assertThat(figures.halfSteps()).isNotEmpty();
  }

  /**
   * A commit that waited would give up after 250 ms and look for the culprit by halves: without
   * SKIP LOCKED every batch took 1.27 s or more, with it a few milliseconds. The fastest of five
   * counts, so that a busy machine does not.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1 from wm_instance where id = ? for update",
        "select 1 from wm_bookmark where instance_id = ? for update"
      })
  void a_batch_does_not_wait_for_a_row_that_a_caller_holds(String lock, TestReporter report)
      throws SQLException {
    Database database = Database.withSchema();
    Units units = new Units(Instant.now());
    NodeId node = new NodeId(UUID.randomUUID());
    List<InstanceId> ids = Stream.generate(Units::newId).limit(20).toList();
    InstanceId held = ids.get(7);
    List<Duration> times = new ArrayList<>();
    try (Store store = open(database);
        Connection caller = database.connect()) {
      var unused = store.nodes().register(node, "test", Duration.ofHours(1));
      assertThat(store.commit(node, ids.stream().map(units::start).toList()))
          .extracting(CommitResult::outcome)
          .containsOnly(Outcome.COMMITTED);
      hold(caller, lock, held);

      for (int round = 1; round <= 5; round++) {
        List<UnitRows> batch = new ArrayList<>();
        for (InstanceId id : ids) {
          batch.add(
              id.equals(held)
                  ? units.step(id, 1, List.of(units.spend(Units.TASK, Guard.ANY, 0)), List.of())
                  : units.step(id, round));
        }
        long began = System.nanoTime();
        List<CommitResult> results = store.commit(node, batch);
        times.add(since(began));

        for (int i = 0; i < ids.size(); i++) {
          assertThat(results.get(i).outcome())
              .isEqualTo(ids.get(i).equals(held) ? Outcome.BUSY : Outcome.COMMITTED);
        }
      }
    }
    report.publishEntry("batches of 20", times.toString());
    assertThat(Collections.min(times)).isLessThan(Duration.ofMillis(250));
  }

  /**
   * For the engine's own part: it tries the held step again and then lets it wait where it is in
   * nobody's way. That a batch passes over the row is the test above; here the time-out of 250 ms
   * alone would be enough (1.1 to 1.4 s for the slowest).
   */
  @Test
  void a_row_that_a_caller_holds_for_three_seconds_delays_no_other_step(TestReporter report)
      throws Exception {
    Database database = Database.withSchema();
    Store store = open(database);
    try (Engine engine = Engine.builder(store).start();
        Connection caller = database.connect();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      engine.definitions().deploy(ASK, ALICE);
      BookmarkId held =
          onlyBookmark(engine, engine.instances().start(StartRequest.of("flow"), ALICE).orThrow());
      caller.setAutoCommit(false);
      assertThat(engine.joining(caller).resume(held, Map.of("by", "caller"), ALICE))
          .isInstanceOf(Answer.Done.class);
      long release = System.nanoTime() + HELD.toNanos();

      CompletableFuture<Answer> delayed =
          engine.bookmarks().resumeAsync(held, Map.of("by", "bob"), Caller.of("bob"));
      List<Future<List<Duration>>> others = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        others.add(threads.submit(() -> startAndResumeUntil(release, engine)));
      }
      List<Duration> steps = new ArrayList<>();
      for (Future<List<Duration>> other : others) {
        steps.addAll(other.get(30, TimeUnit.SECONDS));
      }
      assertThat(delayed).isNotDone();
      long released = System.nanoTime();
      caller.rollback();
      Answer answer = delayed.get(20, TimeUnit.SECONDS);
      Duration afterRelease = since(released);
      report.publishEntry(
          "held",
          "%d other steps, the slowest %s; the held one %s after its release"
              .formatted(steps.size(), Collections.max(steps), afterRelease));

      assertThat(Collections.max(steps)).isLessThan(Duration.ofSeconds(2));
      assertThat(answer).isEqualTo(new Answer.Done(held.instance(), 2));
      Instance ended = engine.instances().find(held.instance(), ALICE).orElseThrow();
      assertThat(ended.status()).isEqualTo(Status.COMPLETED);
      assertThat(ended.variables()).containsEntry("by", "bob");
      assertThat(store.checker().check(Checker.Options.live())).isEmpty();
    }
  }

  private static Store open(Database database) {
    return PostgresStore.open(
        database.url(), PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  private static void hold(Connection caller, String lock, InstanceId id) throws SQLException {
    caller.setAutoCommit(false);
    try (PreparedStatement statement = caller.prepareStatement(lock)) {
      statement.setObject(1, id.value());
      statement.execute();
    }
  }

  private static BookmarkId onlyBookmark(Engine engine, InstanceId id) {
    return engine.instances().find(id, ALICE).orElseThrow().bookmarks().firstKey();
  }

  /**
   * How long each start and each resume took. Between them is a pause: two cores that are always
   * busy would make waiting for a core look like waiting for the row.
   */
  private static List<Duration> startAndResumeUntil(long end, Engine engine) {
    List<Duration> times = new ArrayList<>();
    while (System.nanoTime() < end) {
      long began = System.nanoTime();
      InstanceId id = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();
      times.add(since(began));
      BookmarkId bookmark = onlyBookmark(engine, id);
      long resumed = System.nanoTime();
      engine.bookmarks().resume(bookmark, Map.of(), ALICE).orThrow();
      times.add(since(resumed));
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return times;
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
