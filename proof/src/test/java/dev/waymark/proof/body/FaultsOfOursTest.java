package dev.waymark.proof.body;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that should not happen: who suffers from them, and that nobody waits for ever. */
final class FaultsOfOursTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: wait, next: work }
        work: { type: work }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final AtomicInteger bodies = new AtomicInteger();

  private WorkflowTestKit kit(Store store, Consumer<Point> crash) {
    return WorkflowTestKit.on(
        store,
        clock,
        builder ->
            builder
                .crashPoints(crash::accept)
                .activity(
                    "work",
                    context -> {
                      bodies.incrementAndGet();
                      return ActivityResult.completed();
                    }));
  }

  private static List<CompletableFuture<Answer>> resumeAll(WorkflowTestKit kit, List<Run> runs) {
    List<BookmarkId> waits = runs.stream().map(run -> run.bookmark("ask").id()).toList();
    return resume(kit, waits);
  }

  private static List<CompletableFuture<Answer>> resume(
      WorkflowTestKit kit, List<BookmarkId> waits) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (BookmarkId wait : waits) {
      answers.add(kit.engine().bookmarks().resumeAsync(wait, Map.of(), ANNA));
    }
    return answers;
  }

  /** It has its answer by now: who waited for one that never comes would wait for ever. */
  private static void assertDone(CompletableFuture<Answer> answer) {
    assertThat(answer).succeedsWithin(Duration.ZERO).isInstanceOf(Answer.Done.class);
  }

  private static List<Run> start(WorkflowTestKit kit, int count) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      runs.add(kit.start("flow", Map.of()));
    }
    return runs;
  }

  @ParameterizedTest
  @EnumSource
  void an_error_behind_a_commit_does_not_undo_what_was_committed(Stores stores) {
    Store store = stores.create().open(clock);
    AtomicBoolean armed = new AtomicBoolean();
    try (WorkflowTestKit kit =
        kit(
            store,
            point -> {
              if (point == Point.P8_COMMITTED_UNHEARD && armed.compareAndSet(true, false)) {
                throw new AssertionError("the answer could not be read");
              }
            })) {
      kit.deploy(FLOW);
      List<Run> runs = start(kit, 5);

      armed.set(true);
      List<CompletableFuture<Answer>> answers = resumeAll(kit, runs);
      kit.advance(Duration.ofMinutes(1));

      assertThat(armed).isFalse();
      answers.forEach(FaultsOfOursTest::assertDone);
      runs.forEach(run -> assertThat(run).isCompleted());
      assertThat(bodies).hasValue(5);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_question_that_always_fails_leaves_the_others_their_answers(Stores stores) {
    Stores.Place place = stores.create();
    List<Run> runs;
    List<BookmarkId> waits;
    try (WorkflowTestKit before = kit(place.open(clock), point -> {})) {
      before.deploy(FLOW);
      runs = start(before, 20);
      waits = runs.stream().map(run -> run.bookmark("ask").id()).toList();
    }
    InstanceId poison = runs.get(7).id();
    List<Integer> asked = new ArrayList<>();
    try (WorkflowTestKit kit = kit(poisoned(place.open(clock), poison, asked), point -> {})) {
      List<CompletableFuture<Answer>> answers = resume(kit, waits);
      kit.advance(Duration.ofMinutes(1));

      for (int i = 0; i < runs.size(); i++) {
        if (i == 7) {
          assertThat(answers.get(i))
              .failsWithin(Duration.ZERO)
              .withThrowableThat()
              .havingRootCause()
              .withMessage("a row that nobody can read");
        } else {
          assertDone(answers.get(i));
        }
      }
      // Halved, not tried one by one and not for ever.
      assertThat(asked).hasSizeLessThan(30);
      assertThat(kit.engine().load().queued()).isZero();
    }
  }

  /** Fails to answer any batch of questions that has one about this run. */
  private static Store poisoned(Store store, InstanceId poison, List<Integer> asked) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, args) -> {
              if (method.getName().equals("loadTogether")) {
                List<?> questions = (List<?>) args[0];
                asked.add(questions.size());
                if (questions.stream().anyMatch(q -> ((Load) q).instance().equals(poison))) {
                  throw new StoreException(
                      StoreException.Kind.PERMANENT,
                      "poisoned",
                      new IllegalStateException("a row that nobody can read"));
                }
              }
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_foreign_exception_while_a_row_is_waited_for_is_answered(boolean committed)
      throws Exception {
    PostgresServer server = PostgresServer.shared();
    String url = server.url(server.newDatabase());
    AtomicBoolean armed = new AtomicBoolean(true);
    try (Connection holder =
            DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
        Store plain = Stores.postgres(url).open(clock)) {
      Runnable release = StoreHooks.once(new AtomicBoolean(true), () -> rollBack(holder));
      Runnable fault =
          StoreHooks.once(
              armed,
              () -> {
                throw new IllegalStateException("not of a store");
              });
      Store hooked =
          committed
              ? StoreHooks.after(
                  StoreHooks.before(plain, "commitWaiting", release), "commitWaiting", fault)
              : StoreHooks.before(plain, "commitWaiting", fault);
      try (WorkflowTestKit kit = kit(hooked, point -> {})) {
        kit.deploy(FLOW);
        List<Run> runs = start(kit, 1);
        BookmarkId wait = runs.get(0).bookmark("ask").id();
        hold(holder, runs.get(0).id());

        CompletableFuture<Answer> answer = resume(kit, List.of(wait)).get(0);
        kit.advance(Duration.ofSeconds(20));
        rollBack(holder);

        assertThat(armed).isFalse();
        if (committed) {
          assertDone(answer);
        } else {
          assertThat(answer)
              .failsWithin(Duration.ZERO)
              .withThrowableThat()
              .havingRootCause()
              .withMessage("not of a store");
          // Its mailbox is free: the same can be asked again.
          assertThat(kit.engine().bookmarks().resume(wait, Map.of(), ANNA))
              .isInstanceOf(Answer.Done.class);
        }
        kit.runUntilIdle();
        assertThat(runs.get(0).status()).isEqualTo(Status.COMPLETED);
        assertThat(bodies).hasValue(1);
      }
    }
  }

  private static void hold(Connection holder, InstanceId run) throws SQLException {
    holder.setAutoCommit(false);
    try (var lock = holder.prepareStatement("select 1 from wm_instance where id = ? for update")) {
      lock.setObject(1, run.value());
      lock.execute();
    }
  }

  private static void rollBack(Connection holder) {
    try {
      holder.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void an_error_behind_the_commit_of_a_start_starts_it_once() {
    AtomicBoolean armed = new AtomicBoolean(true);
    try (WorkflowTestKit kit =
        kit(
            Stores.SQLITE.create().open(clock),
            point -> {
              if (point == Point.P8_COMMITTED_UNHEARD && armed.compareAndSet(true, false)) {
                throw new AssertionError("the answer could not be read");
              }
            })) {
      kit.deploy("waymark: 1\nkey: direct\nstart: w\nactivities: { w: { type: work } }\n");

      Answer answer = kit.engine().instances().start(StartRequest.of("direct"), ANNA);
      kit.advance(Duration.ofMinutes(1));

      assertThat(kit.run(answer.orThrow())).isCompleted();
      assertThat(bodies).hasValue(1);
    }
  }
}
