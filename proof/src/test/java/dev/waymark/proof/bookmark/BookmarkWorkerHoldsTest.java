package dev.waymark.proof.bookmark;

import static dev.waymark.proof.bookmark.BookmarkWorkerTest.ASKING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers beside operators who hold runs and let them go again. */
final class BookmarkWorkerHoldsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final VirtualClock clock = new VirtualClock();

  private static Run ask(WorkflowTestKit kit, int number) {
    return kit.start("asking", Map.of("number", number));
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_run_that_an_operator_holds_is_left_alone_and_served_at_once_when_it_is_let_go(
      Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(ASKING);
      Run run = ask(kit, 1);
      kit.engine().operations().suspend(run.id(), "do not touch", ANNA).orThrow();
      List<Long> handled = new ArrayList<>();

      kit.engine()
          .worker(BookmarkKind.USER_ACTION)
          .handle(
              work -> {
                handled.add((Long) work.payload().get("number"));
                return Map.of();
              });
      kit.advance(Duration.ofMinutes(12));
      assertThat(handled).isEmpty();

      kit.engine().operations().continueInstance(run.id(), "go", ANNA).orThrow();
      kit.runUntilIdle();

      // Time has not moved since.
      assertThat(handled).containsExactly(1L);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_a_hold_overtook_is_asked_for_again_at_once_when_the_run_is_let_go(
      Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy(ASKING);
      Run run = ask(kit, 1);
      List<Long> handled = new ArrayList<>();
      kit.engine()
          .worker(BookmarkKind.USER_ACTION)
          .handle(
              work -> {
                if (handled.isEmpty()) {
                  kit.engine().operations().suspend(run.id(), "wait", ANNA).orThrow();
                }
                handled.add((Long) work.payload().get("number"));
                return Map.of();
              });
      kit.runUntilIdle();
      kit.advance(Duration.ofMinutes(12));
      assertThat(handled).hasSize(1);

      kit.engine().operations().continueInstance(run.id(), "go", ANNA).orThrow();
      kit.runUntilIdle();

      assertThat(handled).hasSize(2);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void letting_a_run_go_takes_no_claim_away(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy(ASKING);
      Run run = ask(kit, 1);
      var held = kit.engine().bookmarks().claimNext(Duration.ofMinutes(30), ANNA).orElseThrow();
      kit.engine().operations().suspend(run.id(), "wait", ANNA).orThrow();

      kit.engine().operations().continueInstance(run.id(), "go", ANNA).orThrow();

      assertThat(kit.engine().bookmarks().claimNext(LEASE, Caller.of("bob"))).isEmpty();
      kit.engine().bookmarks().resume(held.bookmark().id(), held.lease(), Map.of(), ANNA).orThrow();
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }
}
