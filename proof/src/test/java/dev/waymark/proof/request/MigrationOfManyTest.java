package dev.waymark.proof.request;

import static dev.waymark.proof.request.EveryStateFlow.FIRST;
import static dev.waymark.proof.request.EveryStateFlow.REQUEST;
import static dev.waymark.proof.request.EveryStateFlow.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Correction.MoveToken;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.MigrationReport;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Checker;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand live runs, in every state that a run can be in, move while they run. */
final class MigrationOfManyTest {

  private static final int KINDS = 10;
  private static final int RUNS = Integer.getInteger("migrations", 10_000);
  private static final int EACH = RUNS / KINDS;
  private static final int FINISHERS = 32;
  private static final Caller ANNA = Caller.of("anna");

  private final CountDownLatch begun = new CountDownLatch(EACH);
  private final CountDownLatch finish = new CountDownLatch(1);

  private static Store store(String name) {
    return name.equals("sqlite")
        ? SqliteStore.inMemory(InstantSource.system())
        : PostgresStore.open(
            PostgresServer.shared().url(PostgresServer.shared().newDatabase()),
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgres"})
  void none_is_lost_and_none_is_stranded(String name) throws Exception {
    Store store = store(name);
    try (Engine engine =
        Engine.builder(store)
            .activity(
                "busy",
                context -> {
                  begun.countDown();
                  finish.await();
                  return ActivityResult.completed();
                })
            .start()) {
      engine.definitions().deploy(FIRST, ANNA);
      List<InstanceId> runs = startAll(engine);
      engine.definitions().deploy(SECOND, ANNA);
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      for (int i = 5; i < RUNS; i += 10 * KINDS) {
        engine.operations().suspend(runs.get(i), "held back", ANNA).orThrow();
      }

      MigrationReport dry = engine.operations().checkMigration(REQUEST, ANNA);
      assertThat(versionsOf(engine, runs)).as("nothing is changed").containsOnly(1L);
      MigrationReport real = migrateWhileTheyTurn(engine, runs);

      assertThat(dry.moved()).isEqualTo(RUNS - EACH);
      assertThat(dry.obstacles())
          .singleElement()
          .satisfies(
              obstacle -> {
                assertThat(obstacle.reason())
                    .isEqualTo("Expected an activity for 'old' in many v2, but there is no 'old'");
                assertThat(obstacle.count()).isEqualTo(EACH);
              });
      assertThat(real).as("dry run and real run agree").isEqualTo(dry);
      assertThat(engine.operations().migrate(REQUEST, ANNA).moved())
          .as("nothing is left to move")
          .isZero();
      finishAll(engine, runs);
      assertThat(store.checker().check(Checker.Options.live())).isEmpty();
    }
  }

  private List<InstanceId> startAll(Engine engine) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      answers.add(
          engine
              .instances()
              .startAsync(StartRequest.of("many").input(Map.of("kind", i % KINDS)), ANNA));
    }
    return answers.stream().map(answer -> answer.join().orThrow()).toList();
  }

  private static List<Long> versionsOf(Engine engine, List<InstanceId> runs) {
    long first = engine.definitions().find("many", 1, ANNA).orElseThrow().id();
    return runs.stream()
        .map(
            run ->
                engine.instances().find(run, ANNA).orElseThrow().origin().definition() - first + 1)
        .distinct()
        .toList();
  }

  /** While the migration goes on, runs of kind 6 are resumed and bodies of kind 3 come back. */
  private MigrationReport migrateWhileTheyTurn(Engine engine, List<InstanceId> runs)
      throws InterruptedException {
    AtomicBoolean moving = new AtomicBoolean(true);
    AtomicReference<Throwable> trouble = new AtomicReference<>();
    Thread turner =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 6; moving.get(); i = i + KINDS < RUNS ? i + KINDS : 6) {
                      answer(engine, runs.get(i), "turn", Map.of());
                    }
                  } catch (RuntimeException | Error e) {
                    trouble.set(e);
                  }
                });
    MigrationReport[] last = {null};
    MigrationReport report =
        engine
            .operations()
            .migrate(
                REQUEST,
                ANNA,
                progress -> {
                  last[0] = progress;
                  finish.countDown();
                });
    moving.set(false);
    turner.join();
    assertThat(trouble.get()).isNull();
    assertThat(last[0]).isEqualTo(report);
    return report;
  }

  private static void answer(
      Engine engine, InstanceId run, String key, Map<String, Object> payload) {
    bookmark(engine, run, key)
        .ifPresent(bookmark -> engine.bookmarks().resume(bookmark.id(), payload, ANNA).orThrow());
  }

  private static Optional<Bookmark> bookmark(Engine engine, InstanceId run, String key) {
    return engine.instances().find(run, ANNA).orElseThrow().bookmarks().values().stream()
        .filter(bookmark -> bookmark.key().equals(key))
        .findFirst();
  }

  /** Every run can be brought to its end, by what it waited for before it moved. */
  private static void finishAll(Engine engine, List<InstanceId> runs) throws Exception {
    try (var crew = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> parts = new ArrayList<>();
      for (int part = 0; part < FINISHERS; part++) {
        int first = part;
        parts.add(crew.submit(() -> finishPart(engine, runs, first)));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    }
  }

  private static void finishPart(Engine engine, List<InstanceId> runs, int first) {
    for (int i = first; i < RUNS; i += FINISHERS) {
      InstanceId run = runs.get(i);
      if (engine.instances().find(run, ANNA).orElseThrow().hold() != null) {
        engine.operations().continueInstance(run, "go on", ANNA).orThrow();
      }
      switch (i % KINDS) {
        case 0 -> answer(engine, run, "right", Map.of());
        case 1 -> move(engine, run);
        case 2 -> mend(engine, run);
        case 4 -> List.of(1, 2, 3).forEach(n -> answer(engine, run, "item", Map.of()));
        case 6 -> answer(engine, run, "turn", Map.of("enough", true));
        case 7 -> answer(engine, run, "paid", Map.of());
        case 8 -> engine.messages().send(run, "stop", Map.of(), "test", run.toString(), ANNA);
        case 9 -> answer(engine, run, "old", Map.of());
        default -> answer(engine, run, "ask", Map.of());
      }
      Instance ended = engine.instances().awaitEnd(run, Duration.ofSeconds(30), ANNA);
      assertThat(ended.status()).as("a run of kind %d", i % KINDS).isEqualTo(Status.COMPLETED);
      if (i % KINDS != 9) {
        assertThat(ended.variables())
            .as("a run of kind %d", i % KINDS)
            .containsEntry("v", 2L)
            .containsEntry("m", 1L);
      }
      if (i % KINDS == 4) {
        assertThat(ended.variables()).containsEntry("results", List.of(1L, 2L, 3L));
      }
    }
  }

  private static void move(Engine engine, InstanceId run) {
    ActivityInstance timer =
        engine.instances().find(run, ANNA).orElseThrow().activities().values().stream()
            .filter(visit -> visit.activity().equals("later"))
            .findFirst()
            .orElseThrow();
    engine.operations().edit(run, new MoveToken(timer.visit(), "done"), "no time", ANNA).orThrow();
  }

  private static void mend(Engine engine, InstanceId run) {
    Bookmark intervention =
        engine.instances().find(run, ANNA).orElseThrow().bookmarks().values().stream()
            .filter(bookmark -> bookmark.kind() == BookmarkKind.MANUAL_INTERVENTION)
            .findFirst()
            .orElseThrow();
    Actor admin = new Actor("anna", ANNA.actor().tenant(), Set.of(), Set.of("workflow-admin"));
    engine
        .operations()
        .intervene(
            intervention.id(),
            InterventionAction.MODIFY_VARIABLES,
            Map.of("missing", 1),
            "found it",
            Caller.of(admin))
        .orThrow();
  }
}
