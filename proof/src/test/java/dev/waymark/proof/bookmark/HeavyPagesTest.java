package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Correction;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.BookmarkStatus;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.ScheduleInfo;
import dev.waymark.engine.task.TaskPage;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pages of rows with large documents: each is cut before it holds more bytes than one statement
 * reads, and whoever reads on until a page is empty has seen all.
 */
final class HeavyPagesTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final int MANY = 12;
  private static final int MOST_OF_A_PAGE = 9;
  private static final String LARGE = "x".repeat(1_000_000);

  /** A task may be smaller only, so there are more of them. */
  private static final int TASKS = 48;

  private static final int MOST_TASKS = 36;
  private static final String TASK_DATA = "x".repeat(240_000);

  private static final String TASK =
      """
      waymark: 1
      key: task
      start: do
      activities:
        do:
          type: user-task
          with: { title: Look, candidates: [anna], data: { d: "${ Variables.d }" } }
      """;

  private static final String PATIENT =
      """
      waymark: 1
      key: patient
      start: rest
      activities:
        rest: { type: wait }
      """;

  private static void on(Stores stores, Consumer<WorkflowTestKit> test) {
    VirtualClock clock = new VirtualClock();
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(stores.create().open(clock), clock, builder -> {})) {
      kit.deploy(TASK);
      kit.deploy(PATIENT);
      test.accept(kit);
    }
  }

  private static <T> void assertPages(Function<@Nullable T, List<T>> read) {
    assertPages(MANY, MOST_OF_A_PAGE, read);
  }

  private static <T> void assertPages(int many, int most, Function<@Nullable T, List<T>> read) {
    List<T> all = new ArrayList<>();
    List<T> page = read.apply(null);
    while (!page.isEmpty()) {
      assertThat(page.size()).isLessThanOrEqualTo(most);
      all.addAll(page);
      page = read.apply(page.getLast());
    }
    assertThat(all.stream().distinct().count()).isEqualTo(all.size()).isEqualTo(many);
  }

  @ParameterizedTest
  @EnumSource
  void messages_that_nobody_waits_for_come_in_pages(Stores stores) {
    on(
        stores,
        kit -> {
          Engine engine = kit.engine();
          for (int n = 0; n < MANY; n++) {
            Map<String, Object> body = Map.of("d", LARGE);
            engine
                .messages()
                .correlate(Correlated.of("paid", "order-" + n, body, "bank", "m-" + n), ANNA);
          }

          HeavyPagesTest.<Message>assertPages(
              after -> engine.messages().unmatched(after, 100, ANNA));
        });
  }

  @ParameterizedTest
  @EnumSource
  void messages_that_wait_for_an_instance_come_in_pages(Stores stores) {
    on(
        stores,
        kit -> {
          Engine engine = kit.engine();
          Run run = kit.start("patient", Map.of());
          for (int n = 0; n < MANY; n++) {
            engine.messages().send(run.id(), "early", Map.of("d", LARGE), "bank", "m-" + n, ANNA);
          }

          HeavyPagesTest.<Message>assertPages(
              after -> engine.messages().waitingFor(run.id(), after, 100, ANNA));
        });
  }

  @ParameterizedTest
  @EnumSource
  void tasks_are_listed_and_claimed_in_pages(Stores stores) {
    on(
        stores,
        kit -> {
          Engine engine = kit.engine();
          for (int n = 0; n < TASKS; n++) {
            kit.start("task", Map.of("d", TASK_DATA));
          }

          TaskPage first = engine.tasks().inbox(100, ANNA);
          assertThat(first.tasks().size()).isLessThanOrEqualTo(MOST_TASKS);
          assertThat(first.next()).isNotNull();
          TaskPage last = engine.tasks().inbox(first.next(), 100, ANNA);
          assertThat(first.tasks().size() + last.tasks().size()).isEqualTo(TASKS);
          assertThat(last.next()).isNull();
          HeavyPagesTest.<Bookmark>assertPages(
              TASKS,
              MOST_TASKS,
              after ->
                  engine
                      .bookmarks()
                      .look()
                      .open(BookmarkKind.USER_ACTION, after, 100, ANNA)
                      .stream()
                      .map(BookmarkStatus::bookmark)
                      .toList());
          HeavyPagesTest.<ClaimResult.Held>assertPages(
              TASKS,
              MOST_TASKS,
              after ->
                  engine
                      .bookmarks()
                      .claim(ClaimRequest.lasting(Duration.ofHours(1)).batch(100), ANNA));
        });
  }

  @ParameterizedTest
  @EnumSource
  void history_comes_in_pages_and_a_former_state_is_made_of_all_of_them(Stores stores) {
    on(
        stores,
        kit -> {
          Engine engine = kit.engine();
          Run run = kit.start("patient", Map.of("d", 0));
          int before = run.history().size();
          for (int n = 1; n < MANY; n++) {
            Map<String, Object> other = Map.of("d", n + LARGE, "n", n);
            engine
                .operations()
                .edit(run.id(), new Correction.SetVariables(other, List.of()), "why", ANNA)
                .orThrow();
          }

          List<HistoryEntry> first = engine.instances().history(run.id(), 1, 100, ANNA);
          assertThat(first.size()).isLessThanOrEqualTo(before + MOST_OF_A_PAGE);
          List<HistoryEntry> last =
              engine.instances().history(run.id(), first.getLast(), 100, ANNA);
          assertThat(first.size() + last.size()).isEqualTo(before + MANY - 1);
          assertThat(engine.instances().history(run.id(), last.getLast(), 100, ANNA)).isEmpty();
          assertThat(run.history()).hasSize(before + MANY - 1);
          for (int n = 1; n < MANY; n++) {
            assertThat(engine.instances().stateAt(run.id(), 1 + n, ANNA).orElseThrow().variables())
                .containsEntry("n", (long) n);
          }
          assertThat(engine.instances().stateAt(run.id(), 1 + MANY, ANNA)).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void schedules_come_in_pages(Stores stores) {
    on(
        stores,
        kit -> {
          Engine engine = kit.engine();
          for (int n = 0; n < MANY; n++) {
            StartRequest start = StartRequest.of("patient").input(Map.of("d", LARGE));
            engine
                .schedules()
                .put(Schedule.cron("s-" + n, "0 0 1 1 *", ZoneOffset.UTC, start), ANNA);
          }

          HeavyPagesTest.<ScheduleInfo>assertPages(
              after ->
                  engine
                      .schedules()
                      .list(after == null ? null : after.schedule().name(), 100, ANNA));
        });
  }
}
