package dev.waymark.examples;

import static dev.waymark.examples.PagesTest.kit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.explain.Explanation;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Details;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.bookmark.BookmarkStatus;
import dev.waymark.engine.bookmark.BookmarkWorker;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.task.Task;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Java of the page about waits: it compiles and does what the page says. */
final class WaitsPageTest {

  private final Caller caller = Caller.of("anna");

  @Test
  void waits() {
    try (WorkflowTestKit kit =
        kit(
            """
            waymark: 1
            key: review
            start: review
            activities:
              review:
                type: user-task
                with: { title: Review it, data: { page: 7 }, candidates: anna }
                next: check
              check: { type: wait, with: { for: user-action } }
            """)) {
      Engine engine = kit.engine();
      InstanceId run = kit.start("review", Map.of()).id();

      // tag::waits[]
      for (BookmarkStatus wait : engine.bookmarks().look().byKey("review", caller)) {
        if (wait.bookmark().details() instanceof Details.Task task) {
          System.out.println(wait.state() + " " + task.title() + " " + task.data());
        }
      }
      // end::waits[]
      // tag::waits[]
      Bookmarks bookmarks = engine.bookmarks();
      ClaimResult.Held held = bookmarks.claimNext(Duration.ofMinutes(30), caller).orElseThrow();
      BookmarkId id = held.bookmark().id();
      Lease lease = held.lease();
      bookmarks.begin(id, lease, caller).orThrow();
      bookmarks.progress(id, lease, Map.of("percent", 50), caller).orThrow();
      bookmarks.extend(id, lease, Duration.ofMinutes(30), caller).orThrow();
      bookmarks.resume(id, lease, Map.of("ok", true), caller).orThrow();
      // end::waits[]
      kit.runUntilIdle();
      assertThat(kit.run(run)).isWaitingAt("check");

      kit.start("review", Map.of());
      // tag::waits[]
      for (Task task : engine.tasks().inbox(50, caller).tasks()) {
        System.out.println(task.due() + " " + task.title() + " " + task.claim());
      }
      // end::waits[]
      assertThat(engine.tasks().inbox(50, caller).tasks()).hasSize(1);

      // tag::waits[]
      BookmarkWorker worker =
          engine
              .worker(BookmarkKind.USER_ACTION)
              .name("clerk")
              .concurrency(10)
              .handle(work -> Map.of("checked", work.payload().size()));
      // end::waits[]
      kit.runUntilIdle();
      assertThat(kit.run(run)).isCompleted();
      worker.close();

      // tag::waits[]
      Explanation why = engine.instances().explain(run, caller).orElseThrow();
      System.out.println(why.toText());
      // end::waits[]
      assertThat(why.summary()).contains("waits for nothing");
    }
  }
}
