package dev.waymark.proof.engine;

import static dev.waymark.proof.engine.RealStores.database;
import static dev.waymark.proof.engine.RealStores.postgres;
import static dev.waymark.proof.engine.RealStores.store;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.engine.RealStores.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real threads, real time, real databases: what happens when several hands reach for one thing. */
final class ConcurrencyTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String ASK =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: wait, next: [{ when: "has(Output.again) && Output.again", to: ask }, { to: end }] }
        end: { type: end }
      """;

  @ParameterizedTest
  @EnumSource
  void eight_threads_answer_the_same_question_and_exactly_one_wins(Kind kind) throws Exception {
    Store store = store(kind);
    try (Engine engine = Engine.builder(store).start();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      engine.definitions().deploy(ASK, ALICE);
      for (int round = 0; round < 20; round++) {
        InstanceId id = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();
        BookmarkId bookmark =
            engine.instances().find(id, ALICE).orElseThrow().bookmarks().firstKey();
        CyclicBarrier together = new CyclicBarrier(8);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          Caller caller = Caller.of("user-" + i);
          answers.add(
              threads.submit(
                  () -> {
                    together.await();
                    return engine
                        .bookmarks()
                        .resume(bookmark, Map.of("by", caller.actor().id()), caller);
                  }));
        }
        int winners = 0;
        for (Future<Answer> answer : answers) {
          switch (answer.get(20, TimeUnit.SECONDS)) {
            case Answer.Done done -> winners++;
            case Answer.Unchanged unchanged -> {}
            case Answer.Refused refused -> {
              assertThat(refused.rejection().code()).isEqualTo(Rejection.Code.ALREADY_CLOSED);
              assertThat(refused.rejection().message()).contains("consumed by user-");
            }
          }
        }
        assertThat(winners).isEqualTo(1);
        assertThat(engine.instances().find(id, ALICE).orElseThrow().status())
            .isEqualTo(Status.COMPLETED);
      }
      assertThat(store.checker().check(Checker.Options.live())).isEmpty();
    }
  }

  @Test
  void two_nodes_that_alternate_on_one_instance_never_answer_from_stale_state() {
    String url = database();
    try (Engine first = Engine.builder(postgres(url)).name("first").start();
        Engine second = Engine.builder(postgres(url)).name("second").start()) {
      first.definitions().deploy(ASK, ALICE);
      InstanceId id = first.instances().start(StartRequest.of("flow"), ALICE).orThrow();

      for (int i = 0; i < 100; i++) {
        Engine mine = i % 2 == 0 ? first : second;
        Engine other = i % 2 == 0 ? second : first;
        Instance seen = other.instances().find(id, ALICE).orElseThrow();
        BookmarkId bookmark = seen.bookmarks().firstKey();

        Answer answer = mine.bookmarks().resume(bookmark, Map.of("again", true, "n", i), ALICE);
        assertThat(answer).isEqualTo(new Answer.Done(id, seen.version() + 1));

        Answer late = other.bookmarks().resume(bookmark, Map.of("again", false), Caller.of("bob"));
        assertThat(late)
            .isInstanceOfSatisfying(
                Answer.Refused.class,
                r -> assertThat(r.rejection().message()).contains("consumed by alice"));
        assertThat(other.instances().find(id, ALICE).orElseThrow().variables())
            .containsEntry("n", (long) i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void fifty_clicks_at_once_all_get_their_answer(Kind kind) throws Exception {
    StringBuilder names = new StringBuilder();
    StringBuilder waits = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      names.append(i == 0 ? "" : ", ").append("w").append(i);
      waits
          .append(i == 0 ? "" : "  ")
          .append(i == 0 ? "  w" : "w")
          .append(i)
          .append(": { type: wait, next: gather }\n");
    }
    Store store = store(kind);
    try (Engine engine = Engine.builder(store).start();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      engine
          .definitions()
          .deploy(
              """
              waymark: 1
              key: flow
              start: split
              activities:
                split: { type: fork, with: { branches: [%s] } }
              %s
                gather: { type: join, next: end }
                end: { type: end }
              """
                  .formatted(names, waits),
              ALICE);
      InstanceId id = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();
      List<BookmarkId> bookmarks =
          List.copyOf(engine.instances().find(id, ALICE).orElseThrow().bookmarks().keySet());
      assertThat(bookmarks).hasSize(50);

      List<Future<Answer>> answers = new ArrayList<>();
      for (BookmarkId bookmark : bookmarks) {
        answers.add(threads.submit(() -> engine.bookmarks().resume(bookmark, Map.of(), ALICE)));
      }
      for (Future<Answer> answer : answers) {
        assertThat(answer.get(20, TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
      }

      Instance ended = engine.instances().find(id, ALICE).orElseThrow();
      assertThat(ended.status()).isEqualTo(Status.COMPLETED);
      assertThat(ended.version()).isEqualTo(51);
      assertThat(store.checker().check(Checker.Options.live().replayingAll())).isEmpty();
    }
  }
}
