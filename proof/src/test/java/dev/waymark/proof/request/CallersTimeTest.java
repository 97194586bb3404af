package dev.waymark.proof.request;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite has one writer: how long a caller waits for it, and who must not wait at all. */
final class CallersTimeTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller HASTY = ANNA.withTimeout(Duration.ofMillis(200));
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String ASKING =
      "waymark: 1\nkey: asking\nstart: ask\nactivities:\n  ask: { type: wait }\n";
  private static final String HOLDING =
      "waymark: 1\nkey: holding\nstart: hold\nactivities:\n  hold: { type: hold }\n";

  @TempDir Path folder;

  private Engine engine(ThrowingConsumer<Engine> held) {
    AtomicReference<Engine> self = new AtomicReference<>();
    Engine engine =
        Engine.builder(SqliteStore.open(folder.resolve("waymark.db")))
            .transactionalActivity(
                "hold",
                (context, connection) -> {
                  held.accept(self.get());
                  return ActivityResult.completed(Map.of());
                })
            .start();
    self.set(engine);
    engine.definitions().deploy(ASKING, ANNA);
    engine.definitions().deploy(HOLDING, ANNA);
    return engine;
  }

  private interface ThrowingConsumer<T> {
    void accept(T value) throws Exception;
  }

  /** Each verb that waits for a commit. */
  private static Map<String, ThrowingCallable> verbs(
      Engine engine, BookmarkId wait, Caller caller) {
    InstanceId run = wait.instance();
    Map<String, ThrowingCallable> verbs = new LinkedHashMap<>();
    verbs.put("start", () -> engine.instances().start(StartRequest.of("asking"), caller));
    verbs.put("resume", () -> engine.bookmarks().resume(wait, Map.of(), caller));
    verbs.put("cancel", () -> engine.operations().cancel(run, "why", caller));
    verbs.put("send", () -> engine.messages().send(run, "go", Map.of(), "test", "1", caller));
    verbs.put("signal", () -> engine.messages().signal("go", Map.of(), "test", "2", caller));
    verbs.put(
        "correlate",
        () ->
            engine
                .messages()
                .correlate(Messages.Correlated.of("go", "key", Map.of(), "test", "3"), caller));
    verbs.put("claim", () -> engine.bookmarks().claim(wait, MINUTE, caller));
    verbs.put("claim next", () -> engine.bookmarks().claim(ClaimRequest.lasting(MINUTE), caller));
    verbs.put(
        "deploy", () -> engine.definitions().deploy(ASKING.replace("asking", "other"), caller));
    verbs.put("activate", () -> engine.definitions().activate("asking", 1, caller));
    verbs.put(
        "put",
        () ->
            engine
                .schedules()
                .put(
                    Schedule.every("daily", Duration.ofDays(1), StartRequest.of("asking")),
                    caller));
    return verbs;
  }

  private static BookmarkId ask(Engine engine) {
    InstanceId run = engine.instances().start(StartRequest.of("asking"), ANNA).orThrow();
    return engine.instances().find(run, ANNA).orElseThrow().bookmarks().firstKey();
  }

  @Test
  void each_verb_waits_only_as_long_as_its_caller_does() throws Exception {
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Engine engine =
        engine(
            self -> {
              holds.countDown();
              assertThat(over.await(60, SECONDS)).isTrue();
            })) {
      BookmarkId wait = ask(engine);
      engine.instances().start(StartRequest.of("holding"), ANNA).orThrow();
      assertThat(holds.await(20, SECONDS)).isTrue();

      verbs(engine, wait, HASTY)
          .forEach(
              (name, verb) ->
                  assertThatExceptionOfType(DeadlinePassed.class).as(name).isThrownBy(verb));

      over.countDown();
    }
  }

  @Test
  void a_thread_that_has_the_writer_is_told_at_once_not_to_wait() {
    try (Engine engine = engine(self -> {})) {
      BookmarkId wait = ask(engine);

      engine.inTransaction(
          joined -> {
            refusesAll(engine, wait);
            return true;
          });

      assertThat(engine.instances().find(wait.instance(), ANNA).orElseThrow().status())
          .isEqualTo(Status.RUNNING);
      assertThat(engine.messages().waitingFor(wait.instance(), 10, ANNA)).isEmpty();
    }
  }

  @Test
  void a_transactional_activity_is_told_at_once_not_to_wait() throws Exception {
    AtomicReference<BookmarkId> wait = new AtomicReference<>();
    AtomicReference<Throwable> fault = new AtomicReference<>();
    Consumer<Engine> check = self -> refusesAll(self, wait.get());
    try (Engine engine =
        engine(
            self -> {
              try {
                check.accept(self);
              } catch (AssertionError e) {
                fault.set(e);
              }
            })) {
      wait.set(ask(engine));

      InstanceId run = engine.instances().start(StartRequest.of("holding"), ANNA).orThrow();

      assertThat(engine.instances().awaitEnd(run, Duration.ofSeconds(20), ANNA).status())
          .isEqualTo(Status.COMPLETED);
      assertThat(fault.get()).isNull();
    }
  }

  private static void refusesAll(Engine engine, BookmarkId wait) {
    verbs(engine, wait, ANNA)
        .forEach(
            (name, verb) ->
                assertThatExceptionOfType(IllegalStateException.class)
                    .as(name)
                    .isThrownBy(verb)
                    .withMessageStartingWith(
                        "Expected no transaction, but this thread is inside inTransaction"));
  }
}
