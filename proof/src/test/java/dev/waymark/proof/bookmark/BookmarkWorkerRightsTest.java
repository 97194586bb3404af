package dev.waymark.proof.bookmark;

import static dev.waymark.proof.bookmark.BookmarkWorkerTest.ASKING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.BookmarkWorker;
import dev.waymark.engine.bookmark.ClaimedBookmark;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers take only the waits on which they may act. */
final class BookmarkWorkerRightsTest {

  private final VirtualClock clock = new VirtualClock();

  private static Caller of(String tenant) {
    return Caller.of(new Actor("starter", tenant, Set.of(), Set.of()));
  }

  private static Run ask(WorkflowTestKit kit, int number) {
    return kit.start("asking", Map.of("number", number));
  }

  private static void startOf(WorkflowTestKit kit, String tenant) {
    kit.engine()
        .instances()
        .start(StartRequest.of("asking").input(Map.of("number", 1)), of(tenant))
        .orThrow();
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_takes_only_what_it_may_act_on_and_nothing_once_it_is_stopped(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy(ASKING);
      List<ClaimedBookmark> handled = new ArrayList<>();
      BookmarkWorker worker =
          kit.engine()
              .worker(BookmarkKind.USER_ACTION)
              .tenants(Set.of("another"))
              .handle(
                  work -> {
                    handled.add(work);
                    return Map.of();
                  });
      ask(kit, 1);
      kit.advance(Duration.ofMinutes(1));
      assertThat(handled).isEmpty();

      kit.engine().definitions().deploy(ASKING, of("another"));
      startOf(kit, "another");
      kit.advance(Duration.ofMinutes(1));
      assertThat(handled).extracting(ClaimedBookmark::tenant).containsExactly("another");

      worker.close();
      startOf(kit, "another");
      kit.advance(Duration.ofMinutes(1));
      assertThat(handled).hasSize(1);
    }
  }

  private static final String FOR_SOME =
      """
      waymark: 1
      key: some
      start: do
      activities:
        do:
          type: user-task
          with: { candidates: "${ Variables.candidates }", exclude: "${ Variables.exclude }" }
      """;

  private static Run task(WorkflowTestKit kit, String candidates, String... exclude) {
    return kit.start(
        "some", Map.of("candidates", List.of(candidates), "exclude", List.of(exclude)));
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_acts_for_its_groups_and_its_name_and_for_nobody_else(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(FOR_SOME);
      List<Run> others =
          List.of(task(kit, "group:bosses"), task(kit, "bob"), task(kit, "group:clerks", "robot"));
      List<Run> own = List.of(task(kit, "group:clerks"), task(kit, "robot"));

      BookmarkWorker worker =
          kit.engine()
              .worker(BookmarkKind.USER_ACTION)
              .name("robot")
              .groups(Set.of("clerks"))
              .handle(work -> Map.of("by", "robot"));
      Run after = task(kit, "group:clerks");
      kit.advance(Duration.ofHours(1));

      assertThat(after).isCompleted();
      own.forEach(run -> assertThat(run).isCompleted().hasVariable("by", "robot"));
      others.forEach(run -> assertThat(run).isWaitingAt("do"));
      worker.close();
      assertSound(store);
    }
  }
}
