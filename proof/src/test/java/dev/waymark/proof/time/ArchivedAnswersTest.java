package dev.waymark.proof.time;

import static dev.waymark.proof.time.HousekeepingTest.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers to waits that are closed, in the archive, and then forgotten. */
final class ArchivedAnswersTest {

  private static final Caller ANNA = Caller.of("anna");

  private final VirtualClock clock = new VirtualClock();

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_second_click_is_still_one_click_and_a_stranger_is_still_told_who_was_first(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(ORDER);
      Run run = kit.start("order", Map.of());
      BookmarkId called = run.bookmark("called").id();
      Caller click = ANNA.withCommandId("click-1");
      Answer first = kit.engine().bookmarks().resume(called, Map.of("by", "phone"), click);
      kit.runUntilIdle();
      long version = run.instance().version();
      kit.advance(Duration.ofMinutes(1));

      Housekeeping housekeeping = kit.engine().bookmarks().housekeeping();
      assertThat(housekeeping.archive(Bookmark.End.CONSUMED, clock.instant(), 10)).isEqualTo(1);

      assertThat(kit.engine().bookmarks().resume(called, Map.of("by", "phone"), click).orThrow())
          .isEqualTo(first.orThrow());
      assertThat(kit.engine().bookmarks().look().find(called, ANNA).orElseThrow().state())
          .isEqualTo(Bookmark.State.CONSUMED);
      assertThat(kit.engine().bookmarks().claim(called, Duration.ofHours(1), Caller.of("bob")))
          .isInstanceOfSatisfying(
              ClaimResult.Refused.class,
              refused ->
                  assertThat(refused.rejection().message()).contains("was consumed by anna at"));
      assertToldWhoWasFirst(kit, called);

      assertThat(housekeeping.forget(clock.instant(), 10)).isEqualTo(1);
      assertThat(kit.engine().bookmarks().resume(called, Map.of("by", "phone"), click).orThrow())
          .isEqualTo(first.orThrow());
      assertThat(
              ((Answer.Refused) kit.engine().bookmarks().resume(called, Map.of(), ANNA))
                  .rejection()
                  .code())
          .isEqualTo(Code.NOT_FOUND);
      assertThat(run.instance().version()).isEqualTo(version);
      assertSound(store);
    }
  }

  /** Whatever somebody wants to do to it, and nobody of another tenant. */
  private void assertToldWhoWasFirst(WorkflowTestKit kit, BookmarkId called) {
    Instant first = clock.instant().minus(Duration.ofMinutes(1));
    Engine engine = kit.engine();
    Caller bob = Caller.of("bob");
    List<Answer> late =
        List.of(
            engine.bookmarks().resume(called, Map.of(), bob),
            joined(kit, engine.bookmarks().resumeAsync(called, Map.of(), bob)),
            engine.tasks().complete(called, Map.of(), bob),
            engine.tasks().comment(called, "Too late?", bob),
            engine.approvals().approve(called, "", bob),
            engine.operations().intervene(called, InterventionAction.RETRY_ACTIVITY, "again", bob));
    assertThat(late)
        .allSatisfy(
            answer -> {
              Rejection rejection = ((Answer.Refused) answer).rejection();
              assertThat(rejection.code()).isEqualTo(Code.ALREADY_CLOSED);
              assertThat(rejection.message())
                  .isEqualTo(
                      "Expected bookmark 'called' to be open, but it was consumed by anna at "
                          + first);
            });
    Caller stranger = Caller.of(Actor.of("bob").in("other"));
    assertThat(
            ((Answer.Refused) engine.bookmarks().resume(called, Map.of(), stranger))
                .rejection()
                .code())
        .isEqualTo(Code.NOT_FOUND);
  }

  private static Answer joined(WorkflowTestKit kit, CompletableFuture<Answer> answer) {
    kit.runUntilIdle();
    return answer.join();
  }
}
