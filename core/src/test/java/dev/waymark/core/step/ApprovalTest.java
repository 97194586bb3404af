package dev.waymark.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command.Intervene.Action;
import dev.waymark.core.step.Decision.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Approvals as a run meets them: votes, levels, substitutes, and what time does to them. */
final class ApprovalTest {

  private static final Actor ANNA = Actor.of("anna");
  private static final Actor BERT = Actor.of("bert");
  private static final Actor CARL = Actor.of("carl");
  private static final Actor FINN = new Actor("finn", "default", Set.of("finance"), Set.of());

  private static final Map<String, Object> YES = Map.of("outcome", "approved");
  private static final Map<String, Object> NO =
      Map.of("outcome", "rejected", "comment", "Too much");

  private static Play play(String with) {
    return Play.of(
        "ask",
        "  ask:\n    type: approval\n    with: "
            + with
            + "\n    output: { got: \"${ Output }\" }\n");
  }

  private static Map<?, ?> got(Play play) {
    return Scopes.object(play.live().variables().get("got"));
  }

  @Test
  void the_vote_that_decides_consumes_the_bookmark_and_no_other_does() {
    Play play = play("{ approvers: [anna, bert], mode: all, data: { amount: 12 } }");
    play.start(Map.of());

    Step first = play.step(play.answer(ANNA, YES));
    assertThat(first.spends()).isEmpty();
    assertThat(first.amended()).hasSize(1);
    assertThat(play.work().terms().candidates().users()).containsExactly("bert");

    Step last = play.step(play.answer(BERT, Map.of("outcome", "approved", "comment", "Fine")));
    assertThat(last.spends()).hasSize(1);
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    Map<?, ?> output = (Map<?, ?>) play.live().variables().get("got");
    assertThat(output.get("outcome")).isEqualTo("approved");
    assertThat(output.get("by")).isEqualTo("bert");
    assertThat((List<?>) output.get("decisions")).hasSize(2);
    Map<?, ?> second = (Map<?, ?>) ((List<?>) output.get("decisions")).get(1);
    assertThat(second.get("by")).isEqualTo("bert");
    assertThat(second.get("at")).isEqualTo("2026-01-12T09:00:00Z");
    assertThat(second.get("comment")).isEqualTo("Fine");
    assertThat(String.valueOf(second.get("data"))).hasSize(16);
  }

  @Test
  void a_rejection_can_end_it() {
    Play play = play("{ approvers: [anna, bert], mode: all }");
    play.start(Map.of()).step(play.answer(ANNA, NO));

    assertThat(((Map<?, ?>) play.live().variables().get("got")).get("outcome"))
        .isEqualTo("rejected");
  }

  @Test
  void who_may_not_decide_is_told_and_nothing_happens() {
    Play play = play("{ approvers: [anna, bert], exclude: carl, mode: all }");
    play.start(Map.of());

    assertThat(play.refused(play.answer(CARL, YES)))
        .isEqualTo("Expected somebody other than carl to decide, but it is carl");
    assertThat(play.refused(play.answer(FINN, YES)))
        .isEqualTo("Expected one of anna, bert to decide at level '1', but finn is none of them");
    assertThat(play.refused(play.answer(ANNA, Map.of("outcome", "maybe"))))
        .isEqualTo("Expected approved, rejected or changes-requested, but got 'maybe'");
    play.step(play.answer(ANNA, YES));
    assertThat(play.refused(play.answer(ANNA, NO)))
        .isEqualTo(
            "Expected anna to decide once, but anna said 'approved' at 2026-01-12T09:00:00Z");
  }

  @Test
  void a_guard_asks_for_a_role_in_the_step_of_the_vote() {
    Play play =
        Play.of(
            "ask",
            """
              ask:
                type: approval
                with: { approvers: [anna] }
                guard: { roles: [manager], when: "Context.actor != Variables.requester" }
            """);
    play.start(Map.of("requester", "rita"));

    assertThat(play.refused(play.answer(ANNA, YES)))
        .isEqualTo("Expected anna to have role manager, but got none");
    Actor manager = new Actor("anna", "default", Set.of(), Set.of("manager"));
    play.step(play.answer(manager, YES));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  private static Play levels() {
    return Play.of(
        "ask",
        """
          ask:
            type: approval
            with:
              bands:
                of: "${ Variables.amount }"
                table:
                  - { above: 100000, levels: 3 }
                  - { above: 25000, levels: 2 }
                  - { above: 5000, levels: 1 }
              levels:
                - { name: lead, approvers: [anna] }
                - { name: manager, approvers: [bert, anna], mode: all }
                - { name: director, approvers: ["${ Variables.amount > 500000 ? 'ceo' : 'dora' }"] }
            output: { got: "${ Output }" }
        """);
  }

  private static Object outcome(Play play) {
    return got(play).get("outcome");
  }

  @Test
  void what_is_in_no_band_is_approved_by_rule() {
    Play play = levels();
    play.start(Map.of("amount", 5000));

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(outcome(play)).isEqualTo("approved");
    assertThat(got(play).get("levels")).isEqualTo(0L);
    assertThat((List<?>) got(play).get("decisions")).isEmpty();
  }

  @Test
  void levels_are_decided_one_after_another_and_nobody_decides_at_two() {
    Play play = levels();
    play.start(Map.of("amount", 600000));
    assertThat(play.work().payload())
        .containsEntry("level", 1L)
        .containsEntry("levels", 3L)
        .containsEntry("name", "lead");

    play.step(play.answer(ANNA, YES));
    // Anna has decided at the first level, so of "all" at the second only Bert is left.
    assertThat(play.work().terms().candidates().users()).containsExactly("bert");
    play.step(play.answer(BERT, YES));
    assertThat(play.refused(play.answer(Actor.of("dora"), YES))).contains("one of ceo");
    play.step(play.answer(Actor.of("ceo"), YES));

    assertThat(outcome(play)).isEqualTo("approved");
    assertThat(got(play).get("level")).isEqualTo(3L);
    assertThat((List<?>) got(play).get("decisions")).hasSize(3);
  }

  @Test
  void a_rejection_at_one_level_ends_all_of_them() {
    Play play = levels();
    play.start(Map.of("amount", 600000));
    play.step(play.answer(ANNA, YES));
    play.step(play.answer(BERT, NO));

    assertThat(outcome(play)).isEqualTo("rejected");
    assertThat(got(play).get("level")).isEqualTo(2L);
  }

  @Test
  void a_request_for_changes_goes_back_to_the_requester_and_then_again() {
    Play play =
        Play.of(
            "ask",
            """
              ask:
                type: approval
                with: { approvers: [anna, bert], mode: all }
                next:
                  - { when: "Output.outcome == 'changes-requested'", to: revise }
                  - { to: done }
              revise: { type: user-task, with: { assignee: rita }, next: ask }
              done: { type: end }
            """);
    play.start(Map.of());
    play.step(play.answer(ANNA, YES));
    play.step(play.answer(BERT, Map.of("outcome", "changes-requested", "comment", "Receipts?")));
    assertThat(play.standsAt()).containsExactly("revise");

    play.step(play.answer(Actor.of("rita"), Map.of("receipts", 2)));
    play.step(play.answer(ANNA, YES));
    play.step(play.answer(BERT, YES));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_level_without_anybody_parks_and_goes_on_when_somebody_is_named() {
    Play play =
        Play.of(
            "ask",
            """
              ask:
                type: approval
                with:
                  exclude: ["${ Variables.requester }"]
                  levels:
                    - { approvers: [anna] }
                    - { approvers: ["${ Variables.boss }"] }
            """);
    play.start(Map.of("requester", "rita", "boss", "anna"));
    play.step(play.answer(ANNA, YES));

    assertThat(play.at("ask").state()).isEqualTo(State.PARKED);
    assertThat(String.valueOf(play.at("ask").fault())).contains("NO_APPROVER", "nobody is left");
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("ask").id(),
            Action.MODIFY_VARIABLES,
            Map.of("boss", "bert"),
            "Anna has decided already"));
    play.step(play.answer(BERT, YES));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_substitute_decides_while_the_rule_holds_and_sees_it_then() {
    Play play =
        play(
            "{ approvers: [anna], substitutes: [{ for: anna, by: bert,"
                + " from: '2026-01-12T10:00:00Z', until: '2026-01-12T12:00:00Z' }] }");
    play.start(Map.of());
    assertThat(play.work().terms().candidates().users()).containsExactly("anna");
    assertThat(play.refused(play.answer(BERT, YES))).contains("bert is none of them");

    play.pass(Duration.ofHours(1));
    assertThat(play.work().terms().candidates().users()).containsExactlyInAnyOrder("anna", "bert");
    play.pass(Duration.ofHours(2));
    assertThat(play.work().terms().candidates().users()).containsExactly("anna");
    assertThat(play.refused(play.answer(BERT, YES))).contains("bert is none of them");
  }

  @Test
  void an_approver_lets_another_speak_but_never_the_maker() {
    Play play = play("{ approvers: [anna, carl], mode: all, exclude: rita }");
    play.start(Map.of());
    assertThat(play.refused(attend(play, ANNA, new Act.Delegate("rita", null, null))))
        .isEqualTo("Expected somebody who may decide, but rita is excluded");
    assertThat(play.refused(attend(play, BERT, new Act.Delegate("finn", null, null))))
        .isEqualTo("Expected bert to have a voice to hand over, but has none");
    play.step(attend(play, ANNA, new Act.Delegate("bert", null, play.now.plusSeconds(3600))));

    play.step(play.answer(BERT, YES));
    assertThat(play.refused(play.answer(ANNA, NO))).contains("bert said 'approved' for anna");
    play.step(play.answer(CARL, YES));
    Map<?, ?> first = (Map<?, ?>) ((List<?>) got(play).get("decisions")).get(0);
    assertThat(first.get("by")).isEqualTo("bert");
    assertThat(first.get("for")).isEqualTo(List.of("anna"));
  }

  @Test
  void a_delegation_ends_with_its_time() {
    Play play = play("{ approvers: [anna] }");
    play.start(Map.of());
    play.step(attend(play, ANNA, new Act.Delegate("bert", null, play.now.plusSeconds(3600))));
    assertThat(play.work().terms().candidates().users()).contains("bert");

    play.pass(Duration.ofHours(1));
    assertThat(play.work().terms().candidates().users()).containsExactly("anna");
    assertThat(play.refused(play.answer(BERT, YES))).contains("bert is none of them");
  }

  @Test
  void who_it_is_escalated_to_decides_for_all_who_have_not() {
    Play play =
        play(
            "{ approvers: [anna, bert, carl], mode: all, due: P3D, title: Laptop,"
                + " escalate: [{ after: P1D, to: dora }, { after: P3D, to: 'group:finance' }],"
                + " remind: { after: PT12H, every: PT12H, times: 2 } }");
    play.start(Map.of());
    assertThat(play.work().due()).isEqualTo(Instant.parse("2026-01-15T09:00:00Z"));
    play.step(play.answer(ANNA, YES));
    assertThat(play.refused(play.answer(FINN, YES))).contains("finn is none of them");

    play.pass(Duration.ofDays(3));
    assertThat(types(play))
        .containsSubsequence(
            HistoryEntry.Type.WAIT_REMINDED,
            HistoryEntry.Type.WAIT_ESCALATED,
            HistoryEntry.Type.WAIT_ESCALATED);
    assertThat(play.work().terms().candidates().groups()).containsExactly("finance");
    assertThat(play.work().terms().candidates().users())
        .containsExactlyInAnyOrder("bert", "carl", "dora");
    assertThat(notifications(play)).contains("Reminder: Laptop", "Escalated: Laptop");

    play.step(play.answer(FINN, YES));
    assertThat(outcome(play)).isEqualTo("approved");
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_claim_does_not_keep_others_from_deciding_and_nobody_can_have_it_alone() {
    Play play = play("{ approvers: [anna, bert] }");
    play.start(Map.of());

    assertThat(play.refused(attend(play, ANNA, new Act.Assign("carl", false))))
        .isEqualTo(
            "Expected what can be done about an approval, but got 'assign': it is for all who may"
                + " decide");
    play.step(attend(play, ANNA, new Act.Comment("Who knows more?")));
    assertThat((List<?>) play.at("ask").data().get("comments")).hasSize(1);
    assertThat(play.refused(attend(play, CARL, new Act.Comment("I do"))))
        .isEqualTo("Expected one of user:anna, user:bert for 'ask', but carl is none of them");
  }

  @Test
  void a_second_click_is_told_who_decided_and_when() {
    Play play = play("{ approvers: [anna, bert] }");
    play.start(Map.of());
    var asked = play.work();
    Step step = play.step(play.answer(ANNA, YES));
    var closed = step.spends().get(0).bookmark();

    Decision late =
        Decider.decide(
            play.definition,
            play.instance,
            new Prior(null, closed, null),
            new Command.Resume(play.meta(BERT), asked.id(), null, Map.of("outcome", "rejected")));

    assertThat(late)
        .isEqualTo(
            Rejection.of(
                Rejection.Code.ALREADY_CLOSED,
                "Expected bookmark 'ask' to be open, but it was consumed by anna at"
                    + " 2026-01-12T09:00:00Z"));
  }

  @Test
  void votes_stay_when_the_run_moves_to_another_version() {
    Play play = play("{ approvers: [anna, bert], mode: all }");
    play.start(Map.of());
    play.step(play.answer(ANNA, YES));
    play.migrate(
        Play.second(
            "ask",
            "  ask: { type: approval, with: { approvers: [anna, bert, carl], mode: all } }\n"),
        new MigrationPlan(Map.of(), Map.of(), List.of()));

    // What was asked stays as it was asked; a new version asks the next time.
    play.step(play.answer(BERT, YES));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void nobody_decides_while_an_operator_holds_the_run() {
    Play play = play("{ approvers: [anna] }");
    play.start(Map.of()).step(new Command.Suspend(play.meta(), "Audit"));

    assertThat(play.refused(play.answer(ANNA, YES)))
        .isEqualTo(
            "Expected a running instance, but test suspended it at 2026-01-12T09:00:00Z: Audit");
  }

  @Test
  void a_reaction_ends_it_with_all_its_timers() {
    Play play =
        Play.of(
            "ask",
            """
              ask:
                type: approval
                with: { approvers: [anna], escalate: [{ after: P2D, to: bert }], remind: { after: PT1H } }
                on: { timeout: { after: P1D, to: late } }
              late: { type: set, with: { outcome: lapsed } }
            """);
    play.start(Map.of()).pass(Duration.ofDays(1));

    assertThat(play.live().variables()).containsEntry("outcome", "lapsed");
    assertThat(play.live().bookmarks()).isEmpty();
  }

  @Test
  void a_hundred_votes_are_told_to_history_one_by_one() {
    Play play = play("{ approvers: \"${ Variables.people }\", mode: all }");
    List<String> people = java.util.stream.IntStream.range(0, 100).mapToObj(i -> "p" + i).toList();
    play.start(Map.of("people", people));
    int longest = 0;
    for (String each : people) {
      Step step = play.step(play.answer(Actor.of(each), YES));
      longest = Math.max(longest, step.history().get(0).changes().toString().length());
    }

    assertThat(outcome(play)).isEqualTo("approved");
    assertThat(longest).isLessThan(40_000);
  }

  @Test
  void an_approval_is_a_bookmark_of_its_kind() {
    Play play = play("{ approvers: [anna], key: spend, priority: high }");
    play.start(Map.of());

    assertThat(play.work().kind()).isEqualTo(BookmarkKind.APPROVAL);
    assertThat(play.work().key()).isEqualTo("spend");
    assertThat(play.work().terms().priority()).isPositive();
  }

  private static Command.Attend attend(Play play, Actor actor, Act act) {
    return new Command.Attend(play.meta(actor), play.work().id(), act);
  }

  private static List<HistoryEntry.Type> types(Play play) {
    return play.history.stream().map(HistoryEntry::type).toList();
  }

  private static List<@Nullable Object> notifications(Play play) {
    return play.history.stream()
        .filter(entry -> entry.type() == HistoryEntry.Type.EVENT_EMITTED)
        .map(entry -> ((Map<?, ?>) entry.detail().get("data")).get("text"))
        .<@Nullable Object>map(text -> text)
        .toList();
  }
}
