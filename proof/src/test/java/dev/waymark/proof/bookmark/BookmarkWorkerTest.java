package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.BookmarkWorker;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that answer waits. */
final class BookmarkWorkerTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration LEASE = Duration.ofSeconds(30);

  static final String ASKING =
      """
      waymark: 1
      key: asking
      start: ask
      activities:
        ask: { type: wait, with: { payload: { number: "${ Variables.number }" } } }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static Caller of(String tenant) {
    return Caller.of(new Actor("starter", tenant, Set.of(), Set.of()));
  }

  private static Run ask(WorkflowTestKit kit, int number) {
    return kit.start("asking", Map.of("number", number));
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void open_and_later_waits_are_answered_with_the_results_of_the_handler(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(ASKING);
      Run before = ask(kit, 1);
      List<Long> handled = new ArrayList<>();

      kit.engine()
          .worker(BookmarkKind.USER_ACTION)
          .name("robot")
          .concurrency(10)
          .handle(
              work -> {
                handled.add((Long) work.payload().get("number"));
                return Map.of("answer", "by robot");
              });
      kit.runUntilIdle();
      // Woken by the commit: time has not moved.
      Run after = ask(kit, 2);

      assertThat(handled).containsExactly(1L, 2L);
      assertThat(before.status()).isEqualTo(Status.COMPLETED);
      assertThat(after).hasVariable("answer", "by robot");
      assertThat(after.history()).anySatisfy(entry -> assertThat(entry.actor()).isEqualTo("robot"));
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void beside_the_ten_thousand_of_one_tenant_the_ten_of_another_are_done_within_forty_claims(
      Stores stores) {
    int many = stores == Stores.SQLITE ? 10_000 : 1_000;
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      for (String tenant : List.of("a", "b")) {
        kit.engine().definitions().deploy(ASKING, of(tenant));
        for (int i = 0; i < (tenant.equals("a") ? many : 10); i++) {
          var unused =
              kit.engine()
                  .instances()
                  .startAsync(StartRequest.of("asking").input(Map.of("number", i)), of(tenant));
        }
        kit.runUntilIdle();
      }
      List<String> order = new ArrayList<>();

      AtomicReference<BookmarkWorker> worker = new AtomicReference<>();
      worker.set(
          kit.engine()
              .worker(BookmarkKind.USER_ACTION)
              .concurrency(10)
              .handle(
                  work -> {
                    order.add(work.tenant());
                    if (order.size() == 60) {
                      var unused = worker.get().stop();
                    }
                    return Map.of();
                  }));
      kit.runUntilIdle();

      assertThat(order).hasSizeBetween(60, 70);
      assertThat(order.subList(0, 40)).filteredOn("b"::equals).hasSize(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_is_kept_while_the_handler_runs(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy(ASKING);
      Run run = ask(kit, 1);
      List<Boolean> free = new ArrayList<>();

      kit.engine()
          .worker(BookmarkKind.USER_ACTION)
          .lease(LEASE)
          .handle(
              work -> {
                work.progress(Map.of("percent", 10));
                for (int i = 0; i < 10; i++) {
                  kit.advance(LEASE.dividedBy(2));
                  free.add(
                      !kit.engine().bookmarks().claim(ClaimRequest.lasting(LEASE), ANNA).isEmpty());
                }
                var status =
                    kit.engine().bookmarks().look().find(work.bookmark().id(), ANNA).orElseThrow();
                assertThat(status.state()).isEqualTo(Bookmark.State.PROCESSING);
                assertThat(status.progress()).containsEntry("percent", 10L);
                return Map.of("lost", work.isLost());
              });
      kit.runUntilIdle();

      assertThat(free).hasSize(10).containsOnly(false);
      assertThat(run).hasVariable("lost", false);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_fails_is_given_back_with_a_pause_that_grows_and_holds_nobody_up(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(ASKING);
      Run poison = ask(kit, 0);
      Run good = ask(kit, 1);
      List<Long> tries = new ArrayList<>();

      kit.engine()
          .worker(BookmarkKind.USER_ACTION)
          .handle(
              work -> {
                if (work.payload().get("number").equals(0L)) {
                  tries.add(work.claims());
                  if (work.claims() < 4) {
                    throw new IllegalStateException("Not today");
                  }
                }
                return Map.of();
              });
      kit.runUntilIdle();
      assertThat(good.status()).isEqualTo(Status.COMPLETED);
      assertThat(tries).containsExactly(1L);

      kit.advance(Duration.ofSeconds(2));
      assertThat(tries).containsExactly(1L, 2L);
      kit.advance(Duration.ofSeconds(1));
      assertThat(tries).hasSize(2);
      kit.advance(Duration.ofSeconds(10));

      assertThat(tries).containsExactly(1L, 2L, 3L, 4L);
      assertThat(poison.status()).isEqualTo(Status.COMPLETED);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_that_is_stopped_while_a_handler_runs_ends_with_that_handler(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(ASKING);
      List<Run> runs = List.of(ask(kit, 1), ask(kit, 2));
      AtomicReference<BookmarkWorker> worker = new AtomicReference<>();
      List<Boolean> doneInside = new ArrayList<>();
      worker.set(
          kit.engine()
              .worker(BookmarkKind.USER_ACTION)
              .concurrency(1)
              .handle(
                  work -> {
                    doneInside.add(worker.get().stop().isDone());
                    return Map.of("answer", work.payload().get("number"));
                  }));
      kit.advance(Duration.ofHours(1));

      assertThat(doneInside).containsExactly(false);
      assertThat(worker.get().stop()).isCompletedWithValue(true);
      assertThat(runs.get(0)).isCompleted().hasVariable("answer", 1);
      assertThat(runs.get(1)).isWaitingAt("ask");
      // Nothing of the second wait is held: anybody may have it at once.
      assertThat(kit.engine().bookmarks().claimNext(LEASE, ANNA)).isPresent();
      assertSound(store);
    }
  }
}
