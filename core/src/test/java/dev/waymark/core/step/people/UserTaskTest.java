package dev.waymark.core.step.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.TaskAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tasks as a run meets them: who may do them, what they keep, and what time does to them. */
final class UserTaskTest {

  private static final Actor ANNA = Actor.of("anna");
  private static final Actor BERT = Actor.of("bert");
  private static final Actor RITA = Actor.of("rita");
  private static final Actor FINN = new Actor("finn", "default", Set.of("finance"), Set.of());

  private static Play play(String with) {
    Play play = Play.of("do", "  do:\n    type: user-task\n    with: " + with + "\n");
    return play.start(Map.of("amount", 60000));
  }

  private static Command.Attend attend(Play play, Actor actor, TaskAction act) {
    return new Command.Attend(play.meta(actor), play.work().id(), act);
  }

  @Test
  void it_shows_what_people_need_and_its_answer_is_its_output() {
    Play play =
        play(
            "{ title: Check, description: Look at it, data: { amount: 60000 },"
                + " candidates: [anna, 'group:finance'], exclude: rita, key: check,"
                + " priority: \"${ Variables.amount > 10000 ? 'high' : 'normal' }\","
                + " due: \"${ Variables.amount > 50000 ? 'P1D' : 'P3D' }\", followUp: PT4H }");
    Bookmark task = play.work();

    assertThat(task.kind()).isEqualTo(BookmarkKind.USER_ACTION);
    assertThat(task.key()).isEqualTo("check");
    assertThat(task.payload()).containsEntry("title", "Check").containsKey("data");
    assertThat(task.due()).isEqualTo(Instant.parse("2026-01-13T09:00:00Z"));
    assertThat(task.terms().followUp()).isEqualTo(Instant.parse("2026-01-12T13:00:00Z"));
    assertThat(task.terms().priority()).isEqualTo(10);
    assertThat(task.terms().candidates().names())
        .containsExactlyInAnyOrder("user:anna", "group:finance");

    assertThat(play.refused(play.answer(BERT, Map.of())))
        .isEqualTo(
            "Expected one of group:finance, user:anna for 'check', but bert is none of them");
    assertThat(play.refused(play.answer(RITA, Map.of())))
        .isEqualTo("Expected somebody other than rita for 'check', but it is rita");
    play.step(play.answer(FINN, Map.of("ok", true)));
    assertThat(play.live().variables()).containsEntry("ok", true);
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void an_answer_must_fit_the_form_and_the_task_stays_open() {
    Play play =
        play(
            "{ assignee: anna, form: { type: object, required: [count],"
                + " properties: { count: { type: integer, minimum: 1 } } } }");

    assertThat(play.refused(play.answer(ANNA, Map.of())))
        .contains("Expected an answer that fits the form of 'do', but at /", "count");
    assertThat(play.refused(play.answer(ANNA, Map.of("count", 0)))).contains("/count");
    play.step(play.answer(ANNA, Map.of("count", 2)));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_form_with_an_expression_is_refused_on_deploy() {
    assertThatThrownBy(
            () ->
                Play.of(
                    "do",
                    "  do: { type: user-task, with: { form: { properties: { y: { const: '${"
                        + " Variables.y }' } } } } }\n"))
        .hasMessageContaining("activities/do/with/form/properties/y/const")
        .hasMessageContaining("a form without expressions");
  }

  @Test
  void a_form_that_is_no_schema_is_refused_on_deploy() {
    assertThatThrownBy(
            () -> Play.of("do", "  do: { type: user-task, with: { form: { type: nonsense } } }\n"))
        .hasMessageContaining("activities/do/with/form/type");
  }

  @Test
  void a_guard_asks_for_a_role_in_the_step_that_completes_it() {
    Play play =
        Play.of(
            "do",
            """
              do: { type: user-task, with: { candidates: [anna] }, guard: { roles: [clerk] } }
            """);
    play.start(Map.of());

    assertThat(play.refused(play.answer(ANNA, Map.of())))
        .isEqualTo("Expected anna to have role clerk, but got none");
  }

  @Test
  void comments_and_attachments_are_kept_and_bounded() {
    Play play = play("{ assignee: anna }");
    play.step(attend(play, ANNA, new TaskAction.Comment("First")));
    play.step(attend(play, ANNA, new TaskAction.Attach("scan.pdf", "s3://bucket/1", 12_000)));

    assertThat(play.at("do").data().get("attachments"))
        .isEqualTo(
            List.of(
                Map.of(
                    "name", "scan.pdf",
                    "uri", "s3://bucket/1",
                    "size", 12_000L,
                    "by", "anna",
                    "at", "2026-01-12T09:00:00Z")));
    for (int i = 1; i < Limits.REMARKS; i++) {
      play.step(attend(play, ANNA, new TaskAction.Comment("More " + i)));
    }
    assertThat(play.refused(attend(play, ANNA, new TaskAction.Comment("Too much"))))
        .isEqualTo("Expected at most 100 comments, but there are as many already");
    assertThatThrownBy(() -> new TaskAction.Comment("x".repeat(4_001)))
        .hasMessageContaining("4,000");
    assertThatThrownBy(() -> new TaskAction.Attach("a", "", 1)).hasMessageContaining("URI");
  }

  @Test
  void overdue_work_is_reminded_of_and_escalated() {
    Play play =
        play(
            "{ title: Pay, assignee: anna, due: P1D, escalate: [{ after: P1D, to: [bert,"
                + " 'group:finance'] }], remind: { every: PT8H, times: 2 } }");

    play.pass(Duration.ofHours(23));
    assertThat(play.work().terms().candidates().assignee()).isEqualTo("anna");
    play.pass(Duration.ofHours(1));
    assertThat(play.work().terms().candidates().names())
        .containsExactlyInAnyOrder("user:anna", "user:bert", "group:finance");
    assertThat(
            play.history.stream()
                .filter(entry -> entry.type() == HistoryEntry.Type.EVENT_EMITTED)
                .map(
                    entry -> {
                      Map<?, ?> data = Json.object(entry.detail().get("data"));
                      return entry.at() + " " + data.get("to") + " " + data.get("text");
                    }))
        .containsExactly(
            "2026-01-13T08:00:00Z [user:anna] Reminder: Pay",
            "2026-01-13T08:00:00Z [user:anna] Reminder: Pay",
            "2026-01-13T09:00:00Z [user:bert, group:finance] Escalated: Pay");
    play.step(play.answer(FINN, Map.of()));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().bookmarks()).isEmpty();
  }

  @Test
  void what_anybody_may_do_stays_anybodys_when_it_is_escalated() {
    Play play = play("{ title: Pay, escalate: [{ after: P1D, to: [boss] }] }");

    play.pass(Duration.ofDays(1));

    assertThat(play.work().terms().candidates().isOpen()).isTrue();
    assertThat(play.history).anyMatch(e -> e.type() == HistoryEntry.Type.WAIT_ESCALATED);
    play.step(play.answer(FINN, Map.of()));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void it_completes_itself_when_nobody_has() {
    Play play =
        play(
            "{ assignee: anna, autoComplete: { after: P2D, outcome: expired, answer: { n: 1 } } }");
    play.pass(Duration.ofDays(2));

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables()).containsEntry("outcome", "expired").containsEntry("n", 1L);
  }

  @Test
  void people_are_told_when_it_begins_if_the_definition_says_so() {
    Play play = play("{ candidates: [anna, 'group:finance'], notify: Please look }");

    assertThat(
            play.history.stream()
                .filter(entry -> entry.type() == HistoryEntry.Type.EVENT_EMITTED)
                .map(entry -> Json.object(entry.detail().get("data")).get("to")))
        .containsExactly(List.of("user:anna", "group:finance"));
  }

  @Test
  void other_waits_are_neither_tasks_nor_approvals() {
    Play play = Play.of("w", "  w: { type: wait }\n").start(Map.of());

    assertThat(play.refused(attend(play, ANNA, new TaskAction.Comment("Hello"))))
        .isEqualTo("Expected a task or an approval, but 'w' is neither");
  }

  @Test
  void who_is_excluded_cannot_be_the_assignee() {
    Play play = play("{ assignee: rita, exclude: [rita] }");

    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(String.valueOf(play.at("do").fault()))
        .contains("Expected an assignee who may act, but rita is excluded");
  }
}
