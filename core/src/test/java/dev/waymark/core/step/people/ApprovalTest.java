package dev.waymark.core.step.people;

import static dev.waymark.core.step.people.Voting.ANNA;
import static dev.waymark.core.step.people.Voting.BERT;
import static dev.waymark.core.step.people.Voting.CARL;
import static dev.waymark.core.step.people.Voting.FINN;
import static dev.waymark.core.step.people.Voting.NO;
import static dev.waymark.core.step.people.Voting.YES;
import static dev.waymark.core.step.people.Voting.attend;
import static dev.waymark.core.step.people.Voting.outcome;
import static dev.waymark.core.step.people.Voting.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.decide.Decider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Approvals as a run meets them: votes, who may give them, and what ends them. */
final class ApprovalTest {

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

  @Test
  void a_claim_does_not_keep_others_from_deciding_and_nobody_can_have_it_alone() {
    Play play = play("{ approvers: [anna, bert], mode: all }");
    play.start(Map.of());
    Lease annas = new Lease("anna", 1, play.now.plus(Duration.ofHours(8)));
    StoredFacts claimed = new StoredFacts(null, play.work().heldBy(annas), null);

    assertThat(play.refused(attend(play, ANNA, new TaskAction.Assign("carl", false))))
        .isEqualTo(
            "Expected what can be done about an approval, but got 'assign': it is for all who may"
                + " decide");
    play.step(attend(play, ANNA, new TaskAction.Comment("Who knows more?")));
    assertThat((List<?>) play.at("ask").data().get("comments")).hasSize(1);
    assertThat(play.refused(attend(play, CARL, new TaskAction.Comment("I do"))))
        .isEqualTo("Expected one of user:anna, user:bert for 'ask', but carl is none of them");
    for (Command byBert :
        List.of(
            play.answer(BERT, YES),
            attend(play, BERT, new TaskAction.Comment("I do")),
            attend(play, BERT, new TaskAction.Delegate("carl", null, null)))) {
      assertThat(Decider.decide(play.definition, play.instance, claimed, byBert))
          .as(byBert.toString())
          .isInstanceOf(Step.class);
    }
  }

  @Test
  void a_second_vote_on_a_decided_approval_is_told_who_decided_and_when() {
    Play play = play("{ approvers: [anna, bert] }");
    play.start(Map.of());
    var asked = play.work();
    Step step = play.step(play.answer(ANNA, YES));
    var closed = step.spends().get(0).bookmark();

    Decision late =
        Decider.decide(
            play.definition,
            play.instance,
            new StoredFacts(null, closed, null),
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
}
