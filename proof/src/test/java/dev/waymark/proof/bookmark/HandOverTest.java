package dev.waymark.proof.bookmark;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.HandOverReport;
import dev.waymark.engine.task.Task;
import dev.waymark.engine.task.TaskPage;
import dev.waymark.engine.task.Tasks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators and the work of others: what is whose, by when, and what becomes of a leaver's. */
final class HandOverTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller CARL = Caller.of("carl");
  private static final Caller FINN =
      Caller.of(new Actor("finn", Actor.DEFAULT_TENANT, Set.of("finance"), Set.of()));
  private static final Caller OLGA =
      Caller.of(new Actor("olga", Actor.DEFAULT_TENANT, Set.of(), Set.of("operator")));

  private static final String TASK =
      """
      waymark: 1
      key: task
      start: do
      activities:
        do:
          type: user-task
          with:
            title: "${ Variables.title }"
            candidates: "${ Variables.who }"
            exclude: "${ Variables.exclude }"
            due: "${ Variables.due }"
      """;

  private static final String VOTE =
      """
      waymark: 1
      key: vote
      start: ask
      activities:
        ask:
          type: approval
          with:
            title: "Vote"
            exclude: rita
            levels:
              - { approvers: [anna, bert], mode: all, due: PT9H }
              - { approvers: [dora], mode: all }
          output: { outcome: "${ Output.outcome }" }
      """;

  private interface Scene {
    void play(WorkflowTestKit kit);
  }

  private static void on(Stores stores, Scene scene) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(TASK);
      kit.deploy(VOTE);
      scene.play(kit);
      assertThat(store.checker().check(Checker.Options.live().replayingAll())).isEmpty();
    }
  }

  private static Run task(WorkflowTestKit kit, String title, String due, String... who) {
    return task(kit, title, due, "nobody", who);
  }

  private static Run task(
      WorkflowTestKit kit, String title, String due, String exclude, String[] who) {
    return kit.start(
        "task", Map.of("title", title, "due", due, "exclude", exclude, "who", List.of(who)));
  }

  private static List<String> titles(TaskPage page) {
    return page.tasks().stream().map(Task::title).toList();
  }

  private static String refusal(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    return ((Answer.Refused) answer).rejection().message();
  }

  @ParameterizedTest
  @EnumSource
  void an_operator_gives_a_task_and_an_approval_another_due_date(Stores stores) {
    on(
        stores,
        kit -> {
          Tasks tasks = kit.engine().tasks();
          BookmarkId first = task(kit, "first", "PT1H", "anna").bookmark("do").id();
          task(kit, "second", "PT2H", "anna");
          Run vote = kit.start("vote", Map.of());
          BookmarkId ask = vote.bookmark("ask").id();
          assertThat(titles(tasks.inbox(9, ANNA))).containsExactly("first", "second", "Vote");
          Instant later = kit.clock().instant().plus(Duration.ofHours(5));

          tasks.reschedule(first, later, "The customer is away", OLGA).orThrow();
          tasks.reschedule(ask, kit.clock().instant(), "Urgent", OLGA).orThrow();

          assertThat(titles(tasks.inbox(9, ANNA))).containsExactly("Vote", "second", "first");
          assertThat(tasks.find(first, ANNA).orElseThrow().due()).isEqualTo(later);
          assertThat(vote.history())
              .filteredOn(entry -> entry.type() == HistoryEntry.Type.TASK_CHANGED)
              .singleElement()
              .satisfies(
                  entry ->
                      assertThat(entry.detail())
                          .containsEntry("act", "reschedule")
                          .containsEntry("reason", "Urgent"));
          assertThat(refusal(tasks.reschedule(first, later, "I would like to", ANNA)))
              .isEqualTo(
                  "Expected an operator (role operator or senior-admin or workflow-admin) for"
                      + " 'reschedule', but anna is none");

          tasks.reschedule(ask, null, "Take your time", OLGA).orThrow();
          assertThat(titles(tasks.inbox(9, ANNA))).containsExactly("second", "first", "Vote");
        });
  }

  @ParameterizedTest
  @EnumSource
  void the_work_of_one_user_is_listed_for_operators_and_for_the_user(Stores stores) {
    on(
        stores,
        kit -> {
          Tasks tasks = kit.engine().tasks();
          task(kit, "named", "PT3H", "anna", "bert");
          BookmarkId group = task(kit, "group", "PT1H", "group:finance").bookmark("do").id();
          tasks.assign(group, "anna", OLGA).orThrow();
          task(kit, "free", "PT2H", "group:finance");

          TaskPage first = tasks.of("anna", InboxPlace.START, 1, OLGA);
          assertThat(titles(first)).containsExactly("group");
          assertThat(titles(tasks.of("anna", requireNonNull(first.next()), 1, OLGA)))
              .containsExactly("named");
          assertThat(titles(tasks.of("anna", InboxPlace.START, 9, ANNA))).hasSize(2);
          assertThatThrownBy(() -> tasks.of("anna", InboxPlace.START, 9, CARL))
              .isInstanceOf(CommandRefused.class)
              .hasMessageContaining("but carl is none");
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_task_is_handed_over_however_somebody_has_it(Stores stores) {
    on(
        stores,
        kit -> {
          Tasks tasks = kit.engine().tasks();
          Run named = task(kit, "named", "PT1H", "anna", "bert");
          Run assigned = task(kit, "assigned", "PT1H", "group:finance");
          Run claimed = task(kit, "claimed", "PT1H", "group:finance");
          Run delegated = task(kit, "delegated", "PT1H", "anna");
          tasks.assign(assigned.bookmark("do").id(), "anna", OLGA).orThrow();
          tasks.claim(claimed.bookmark("do").id(), FINN).orThrow();
          tasks.delegate(delegated.bookmark("do").id(), "dora", ANNA).orThrow();

          for (Run run : List.of(named, assigned, delegated)) {
            tasks.handOver(run.bookmark("do").id(), "anna", "carl", "Left", OLGA).orThrow();
          }
          tasks.handOver(claimed.bookmark("do").id(), "finn", "carl", "Left", OLGA).orThrow();
          tasks.resolve(delegated.bookmark("do").id(), "Done", Caller.of("dora")).orThrow();

          assertThat(titles(tasks.inbox(9, ANNA))).isEmpty();
          for (Run run : List.of(named, assigned, claimed, delegated)) {
            tasks.complete(run.bookmark("do").id(), Map.of(), CARL).orThrow();
            assertThat(run.status()).isEqualTo(Status.COMPLETED);
          }
          BookmarkId others = task(kit, "others", "PT1H", "bert").bookmark("do").id();
          assertThat(refusal(tasks.handOver(others, "anna", "carl", "Left", OLGA)))
              .isEqualTo("Expected 'do' to be anna's, or to name anna, but it does not");
          assertThat(refusal(tasks.handOver(others, "bert", "carl", "Please", Caller.of("bert"))))
              .startsWith("Expected an operator");
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_voice_is_handed_over_but_nobody_gets_two_and_nobody_who_is_excluded_gets_one(
      Stores stores) {
    on(
        stores,
        kit -> {
          Tasks tasks = kit.engine().tasks();
          Run run = kit.start("vote", Map.of());
          BookmarkId ask = run.bookmark("ask").id();

          assertThat(refusal(tasks.handOver(ask, "anna", "rita", "Left", OLGA)))
              .isEqualTo("Expected somebody who may decide, but rita is excluded");
          assertThat(refusal(tasks.handOver(ask, "anna", "bert", "Left", OLGA)))
              .isEqualTo("Expected somebody without a voice at level '1', but bert has one");
          assertThat(refusal(tasks.handOver(ask, "carl", "eve", "Left", OLGA)))
              .isEqualTo("Expected carl to have a voice to hand over, but has none");
          tasks.handOver(ask, "anna", "carl", "Left", OLGA).orThrow();

          assertThat(titles(tasks.inbox(9, ANNA))).isEmpty();
          assertThat(titles(tasks.inbox(9, CARL))).containsExactly("Vote");
          assertThat(refusal(kit.engine().approvals().approve(ask, "", ANNA)))
              .contains("anna is none of them");
          kit.engine().approvals().approve(ask, "", CARL).orThrow();
          assertThat(refusal(tasks.handOver(ask, "bert", "carl", "Left", OLGA)))
              .isEqualTo("Expected somebody who may decide, but carl has decided already");
          kit.engine().approvals().approve(ask, "", Caller.of("bert")).orThrow();

          BookmarkId second = run.bookmark("ask").id();
          tasks.handOver(second, "dora", "eve", "Left", OLGA).orThrow();
          kit.engine().approvals().approve(second, "", Caller.of("eve")).orThrow();
          assertThat(run).hasVariable("outcome", Outcome.APPROVED.word());
        });
  }

  @ParameterizedTest
  @EnumSource
  void all_of_a_leaver_is_handed_over_page_by_page_with_what_stayed_and_why(Stores stores) {
    on(
        stores,
        kit -> {
          Tasks tasks = kit.engine().tasks();
          task(kit, "a", "PT1H", "anna");
          BookmarkId barred =
              task(kit, "b", "PT2H", "carl", new String[] {"anna", "bert"}).bookmark("do").id();
          task(kit, "c", "PT3H", "anna");
          kit.start("vote", Map.of());

          Caller named = OLGA.withCommandId("leaver-anna");
          HandOverReport first =
              tasks.handOverAll("anna", "carl", "Left", InboxPlace.START, 2, named);
          HandOverReport second =
              tasks.handOverAll("anna", "carl", "Left", requireNonNull(first.next()), 9, named);

          assertThat(first.moved()).hasSize(1);
          assertThat(first.left())
              .singleElement()
              .satisfies(
                  left -> {
                    assertThat(left.id()).isEqualTo(barred);
                    assertThat(left.why().message()).contains("carl is excluded");
                  });
          assertThat(second.moved()).hasSize(2);
          assertThat(second.next()).isNull();
          assertThat(titles(tasks.inbox(9, CARL))).containsExactly("a", "c", "Vote");
          assertThat(titles(tasks.of("anna", InboxPlace.START, 9, OLGA))).containsExactly("b");
          assertThatThrownBy(() -> tasks.handOverAll("carl", "eve", "", InboxPlace.START, 9, CARL))
              .isInstanceOf(CommandRefused.class);
        });
  }
}
