package dev.waymark.proof.engine;

import static dev.waymark.proof.engine.RealStores.database;
import static dev.waymark.proof.engine.RealStores.postgres;
import static dev.waymark.proof.engine.RealStores.store;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.proof.engine.RealStores.Kind;
import dev.waymark.proof.support.Soon;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bodies on real nodes: they are interrupted, found again, handed on, and do not disturb each
 * other.
 */
final class BodiesOnNodesTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String WORK =
      """
      waymark: 1
      key: flow
      start: work
      activities:
        work: { type: work, timeout: PT5M }
      """;

  @Test
  void a_cancel_on_one_node_interrupts_the_body_on_another() throws Exception {
    String url = database();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    try (Engine runner =
            Engine.builder(postgres(url))
                .name("runner")
                .activity(
                    "work",
                    context -> {
                      begun.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                      }
                      return ActivityResult.completed();
                    })
                .start();
        Engine other =
            Engine.builder(postgres(url))
                .name("other")
                .activity("work", context -> ActivityResult.completed())
                .start()) {
      runner.definitions().deploy(WORK, ALICE);
      InstanceId id = runner.instances().start(StartRequest.of("flow"), ALICE).orThrow();
      assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

      other.operations().cancel(id, "no longer wanted", ALICE).orThrow();

      assertThat(interrupted.await(2, TimeUnit.SECONDS)).as("interrupted within 2 s").isTrue();
      assertThat(other.instances().find(id, ALICE).orElseThrow().status())
          .isEqualTo(Status.CANCELLED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_stranded_on_a_living_node_is_found(Kind kind) {
    AtomicInteger lost = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    Settings often =
        new Settings(
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(300),
            Duration.ofMinutes(10),
            Duration.ofMillis(20),
            100,
            1000,
            Duration.ofSeconds(30),
            Settings.DEFAULT.suspectAfter(),
            Settings.DEFAULT.unusedPayloads(),
            Settings.DEFAULT.largestPayload(),
            false);
    try (Engine engine =
        Engine.builder(store(kind))
            .settings(often)
            .crashPoints(
                point -> {
                  if (point == Point.P1_TAKEN && lost.getAndIncrement() == 0) {
                    throw new IllegalStateException("lost on purpose");
                  }
                })
            .activity(
                "work",
                context -> {
                  runs.incrementAndGet();
                  return ActivityResult.completed();
                })
            .start()) {
      engine.definitions().deploy(WORK, ALICE);
      InstanceId id = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();

      Instance ended = engine.instances().awaitEnd(id, Duration.ofSeconds(20), ALICE);

      assertThat(ended.status()).isEqualTo(Status.COMPLETED);
      assertThat(runs).hasValue(1);
      assertThat(engine.instances().history(id, 1, 100, ALICE))
          .extracting(HistoryEntry::type)
          .contains(HistoryEntry.Type.ACTIVITY_RECOVERED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_text_that_is_no_text_hurts_nobody_else(Kind kind) throws Exception {
    try (Engine engine =
        Engine.builder(store(kind))
            .activity(
                "work",
                context ->
                    ActivityResult.completed(
                        Map.of("text", context.variable("bad", Boolean.class) ? "\ud800" : "ok")))
            .start()) {
      engine.definitions().deploy(WORK, ALICE);
      List<InstanceId> good = new ArrayList<>();
      List<InstanceId> bad = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        boolean poison = i % 10 == 0;
        (poison ? bad : good)
            .add(
                engine
                    .instances()
                    .start(StartRequest.of("flow").input(Map.of("bad", poison)), ALICE)
                    .orThrow());
      }

      for (InstanceId id : good) {
        assertThat(engine.instances().awaitEnd(id, Duration.ofSeconds(20), ALICE).variables())
            .containsEntry("text", "ok");
      }
      for (InstanceId id : bad) {
        Instance parked = settled(engine, id);
        assertThat(parked.status()).isEqualTo(Status.SUSPENDED);
        assertThat(parked.variables()).doesNotContainKey("text");
        assertThat(parked.bookmarks().values())
            .singleElement()
            .satisfies(
                wait ->
                    assertThat(String.valueOf(wait.payload().get("error")))
                        .contains("well-formed Unicode")
                        .contains("D800"));
      }
    }
  }

  private static Instance settled(Engine engine, InstanceId id) throws Exception {
    return Soon.until(
        Duration.ofSeconds(30),
        () -> engine.instances().find(id, ALICE).orElseThrow(),
        instance -> instance.status() != Status.RUNNING);
  }

  @ParameterizedTest
  @EnumSource
  void a_closing_node_lets_a_body_finish_and_gives_back_what_does_not(Kind kind, @TempDir Path dir)
      throws Exception {
    String address = kind == Kind.POSTGRES ? database() : dir.resolve("waymark.db").toString();
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch closing = new CountDownLatch(1);
    Engine leaving =
        Engine.builder(store(kind, address))
            .name("leaving")
            .activity(
                "work",
                context -> {
                  begun.countDown();
                  if (context.variable("ends", Boolean.class)) {
                    closing.await();
                  } else {
                    new CountDownLatch(1).await();
                  }
                  return ActivityResult.completed(Map.of("by", "leaving"));
                })
            .start();
    leaving.definitions().deploy(WORK, ALICE);
    InstanceId finished = start(leaving, true);
    InstanceId stuck = start(leaving, false);
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(leaving::close);
    // A node that is closing leaves new work to others; both bodies are still running here.
    Instance left =
        Soon.until(
            Duration.ofSeconds(5),
            () -> leaving.instances().find(start(leaving, true), ALICE).orElseThrow(),
            run -> run.activities().values().stream().anyMatch(v -> v.state() == State.READY));
    assertThat(closed).isNotDone();
    closing.countDown();
    closed.get(60, TimeUnit.SECONDS);

    try (Engine next =
        Engine.builder(store(kind, address))
            .activity("work", context -> ActivityResult.completed(Map.of("by", "next")))
            .start()) {
      // Sooner than a dead node's lease would lapse: neither body was left behind.
      Duration atOnce = Settings.DEFAULT.nodeLease().dividedBy(2);
      assertThat(next.instances().awaitEnd(finished, atOnce, ALICE).variables())
          .containsEntry("by", "leaving");
      assertThat(next.instances().awaitEnd(stuck, atOnce, ALICE).variables())
          .containsEntry("by", "next");
      assertThat(next.instances().awaitEnd(left.id(), atOnce, ALICE).variables())
          .containsEntry("by", "next");
      assertThat(next.instances().history(stuck, 1, 100, ALICE))
          .extracting(HistoryEntry::type)
          .contains(HistoryEntry.Type.ACTIVITY_RELEASED)
          .doesNotContain(HistoryEntry.Type.ACTIVITY_RECOVERED);
    }
  }

  private static InstanceId start(Engine engine, boolean ends) {
    return engine
        .instances()
        .start(StartRequest.of("flow").input(Map.of("ends", ends)), ALICE)
        .orThrow();
  }
}
