package dev.waymark.proof.bookmark;

import static dev.waymark.proof.bookmark.TaskScenes.FLOW;
import static dev.waymark.proof.bookmark.TaskScenes.on;
import static dev.waymark.proof.bookmark.TaskScenes.start;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Approvals;
import dev.waymark.engine.task.Notification;
import dev.waymark.engine.task.Task;
import dev.waymark.engine.task.TaskPage;
import dev.waymark.engine.task.Tasks;
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

/** What people see and do, through an engine, on both stores. */
final class TasksTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller BERT = Caller.of("bert");
  private static final Caller FINN = in("finn", "finance");
  private static final Caller FRED = in("fred", "finance");
  private static final Caller OLGA =
      Caller.of(new Actor("olga", Actor.DEFAULT_TENANT, Set.of(), Set.of("operator")));

  private static Caller in(String user, String group) {
    return Caller.of(new Actor(user, Actor.DEFAULT_TENANT, Set.of(group), Set.of()));
  }

  @ParameterizedTest
  @EnumSource
  void an_inbox_pages_by_due_date_and_shows_only_what_its_owner_may_do(Stores stores) {
    on(
        stores,
        kit -> {
          for (int n = 1; n <= 7; n++) {
            start(kit, n, "PT" + (10 - n) + "H", n % 2 == 0 ? "anna" : "group:finance");
          }
          start(kit, 8, "PT1H", "dora");
          Tasks tasks = kit.engine().tasks();

          List<String> seen = new ArrayList<>();
          InboxPlace place = InboxPlace.START;
          while (place != null) {
            TaskPage page = tasks.inbox(place, 2, FRED);
            page.tasks().forEach(task -> seen.add(task.title()));
            place = page.next();
          }
          assertThat(seen).containsExactly("Task 7", "Task 5", "Task 3", "Task 1");
          assertThat(tasks.inbox(10, FINN).tasks()).isEmpty();
          assertThat(titles(tasks.inbox(10, ANNA))).containsExactly("Task 6", "Task 4", "Task 2");
          assertThat(titles(tasks.inbox(10, BERT))).isEqualTo(titles(tasks.inbox(10, ANNA)));
          assertThat(tasks.inbox(10, Caller.of(Actor.of("anna").in("other"))).tasks()).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_page_of_somebody_who_is_excluded_from_nearly_all_is_short_and_says_where_to_go_on(
      Stores stores) {
    on(
        stores,
        kit -> {
          for (int n = 0; n < Limits.INBOX_ROUNDS + 2; n++) {
            start(kit, n, "PT1H", "group:finance");
          }
          start(kit, 99, "PT2H", "olga");
          kit.deploy(FLOW.replace("exclude: finn", "exclude: nobody"));
          start(kit, 100, "PT3H", "group:finance");
          Tasks tasks = kit.engine().tasks();

          TaskPage first = tasks.inbox(1, FINN);
          assertThat(first.tasks()).isEmpty();
          TaskPage second = tasks.inbox(requireNonNull(first.next()), 1, FINN);
          assertThat(titles(second)).containsExactly("Task 100");
          assertThat(tasks.inbox(requireNonNull(second.next()), 1, FINN).next()).isNull();
        });
  }

  @ParameterizedTest
  @EnumSource
  void who_stands_for_another_does_what_the_inbox_shows_but_nothing_else(Stores stores) {
    on(
        stores,
        kit -> {
          Tasks tasks = kit.engine().tasks();
          BookmarkId annas = start(kit, 1, "PT1H", "anna").bookmark("do").id();
          BookmarkId doras = start(kit, 2, "PT2H", "dora").bookmark("do").id();
          assertThat(titles(tasks.inbox(10, BERT))).containsExactly("Task 1");

          tasks.comment(annas, "Anna is away", BERT).orThrow();
          Lease lease = tasks.claim(annas, BERT).orThrow().lease();
          assertThat(lease.holder()).isEqualTo("bert");
          assertThat(code(tasks.complete(annas, Map.of("ok", true), ANNA))).isEqualTo(Code.LEASED);
          tasks.complete(annas, lease.fence(), Map.of("ok", true), BERT).orThrow();
          assertThat(tasks.inbox(10, BERT).tasks()).isEmpty();

          assertThat(code(tasks.complete(doras, Map.of("ok", true), BERT)))
              .isEqualTo(Code.NOT_YOURS);
          assertThat(code(tasks.comment(doras, "?", BERT))).isEqualTo(Code.NOT_YOURS);
          assertThat(tasks.claim(doras, BERT)).isInstanceOf(ClaimResult.Refused.class);

          kit.deploy(FLOW.replace("exclude: finn", "exclude: bert"));
          BookmarkId own = start(kit, 3, "PT1H", "anna").bookmark("do").id();
          assertThat(tasks.inbox(10, BERT).tasks()).isEmpty();
          assertThat(code(tasks.complete(own, Map.of("ok", true), BERT))).isEqualTo(Code.NOT_YOURS);
          assertThat(tasks.claim(own, BERT)).isInstanceOf(ClaimResult.Refused.class);
        });
  }

  private static List<String> titles(TaskPage page) {
    return page.tasks().stream().map(Task::title).toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_task_goes_from_hand_to_hand_and_is_completed_once(Stores stores) {
    on(
        stores,
        kit -> {
          Run run = start(kit, 1, "P1D", "anna", "group:finance");
          Tasks tasks = kit.engine().tasks();
          BookmarkId id = run.bookmark("do").id();

          tasks.assign(id, "fred", OLGA).orThrow();
          assertThat(tasks.inbox(10, ANNA).tasks()).isEmpty();
          assertThat(code(tasks.complete(id, Map.of("ok", true), ANNA))).isEqualTo(Code.NOT_YOURS);
          tasks.delegate(id, "anna", FRED).orThrow();
          tasks.comment(id, "Looks fine", ANNA).orThrow();
          tasks.attach(id, "scan.pdf", "s3://scans/1", 12_000, ANNA).orThrow();
          Task task = tasks.find(id, ANNA).orElseThrow();
          assertThat(task.owner()).isEqualTo("fred");
          assertThat(task.comments()).extracting(Task.Comment::text).containsExactly("Looks fine");
          assertThat(task.attachments())
              .extracting(Task.Attachment::uri)
              .containsExactly("s3://scans/1");
          assertThat(tasks.find(id, FINN)).isEmpty();
          tasks.resolve(id, "Done", ANNA).orThrow();
          tasks.giveBack(id, FRED).orThrow();
          assertThat(titles(tasks.inbox(10, ANNA))).containsExactly("Task 1");
          assertThat(code(tasks.complete(id, Map.of(), ANNA))).isEqualTo(Code.GUARD);

          Caller click = ANNA.withCommandId("click");
          assertThat(tasks.complete(id, Map.of("ok", true), click)).isInstanceOf(Answer.Done.class);
          kit.runUntilIdle();
          assertThat(tasks.complete(id, Map.of("ok", true), click))
              .isInstanceOf(Answer.Unchanged.class);
          assertThat(code(tasks.complete(id, Map.of("ok", true), FRED)))
              .isEqualTo(Code.ALREADY_CLOSED);
          assertThat(run.status()).isEqualTo(Status.COMPLETED);
          assertThat(tasks.inbox(10, ANNA).tasks()).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_vote_is_counted_once_leaves_the_inbox_and_is_in_the_record(Stores stores) {
    on(
        stores,
        kit -> {
          Run run = kit.start("vote", Map.of());
          Approvals approvals = kit.engine().approvals();
          BookmarkId id = run.bookmark("ask").id();
          Task task = kit.engine().tasks().inbox(1, BERT).tasks().get(0);
          assertThat(task.isApproval()).isTrue();
          assertThat(task.data("amount", String.class, "none")).isEqualTo("12.50");

          Caller click = BERT.withCommandId("b");
          assertThat(approvals.approve(id, "For Anna", click)).isInstanceOf(Answer.Done.class);
          assertThat(approvals.approve(id, "For Anna", click)).isInstanceOf(Answer.Unchanged.class);
          assertThat(code(approvals.approve(id, "", ANNA))).isEqualTo(Code.NOT_YOURS);
          assertThat(kit.engine().tasks().inbox(1, BERT).tasks()).isEmpty();
          assertThat(kit.engine().tasks().inbox(1, ANNA).tasks()).isEmpty();
          kit.advance(Duration.ofMinutes(1));
          approvals.vote(id, Outcome.REJECTED, "No receipt", null, FRED).orThrow();
          kit.runUntilIdle();

          assertThat(run.variables()).containsEntry("outcome", "rejected");
          assertThat(approvals.decisions(run.id(), ANNA))
              .extracting(vote -> vote.by() + vote.onBehalfOf() + vote.outcome() + vote.comment())
              .containsExactly("bert[anna]APPROVEDFor Anna", "fred[]REJECTEDNo receipt");
          assertThat(((Answer.Refused) approvals.approve(id, "", FINN)).rejection().message())
              .contains("consumed by fred at");
        });
  }

  @ParameterizedTest
  @EnumSource
  void who_is_asked_reminded_or_escalated_to_is_notified(Stores stores) {
    List<String> told = new ArrayList<>();
    Notification.Channel channel =
        new Notification.Channel() {
          @Override
          public void notifyUser(String user, Notification notification) {
            told.add(user + ": " + notification.text());
          }

          @Override
          public void notifyRole(String role, Notification notification) {
            told.add("all of " + role + ": " + notification.text());
          }
        };
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(store, clock, builder -> builder.notifications("people", channel))) {
      kit.deploy(
          """
          waymark: 1
          key: told
          start: ask
          activities:
            ask:
              type: approval
              with:
                title: Laptop
                approvers: [anna]
                notify: Please decide
                remind: { after: PT1H }
                escalate: [{ after: PT2H, to: "group:finance" }]
          """);
      kit.start("told", Map.of());
      kit.advance(Duration.ofHours(3));

      assertThat(told)
          .containsExactly(
              "anna: Please decide", "anna: Reminder: Laptop", "all of finance: Escalated: Laptop");
    }
  }

  private static Code code(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    return ((Answer.Refused) answer).rejection().code();
  }
}
