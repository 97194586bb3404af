package dev.waymark.core.step.people;

import static dev.waymark.core.step.people.Voting.ANNA;
import static dev.waymark.core.step.people.Voting.BERT;
import static dev.waymark.core.step.people.Voting.NO;
import static dev.waymark.core.step.people.Voting.YES;
import static dev.waymark.core.step.people.Voting.got;
import static dev.waymark.core.step.people.Voting.outcome;
import static dev.waymark.core.step.people.Voting.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Play;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Approvals of several levels, one after another. */
final class ApprovalLevelsTest {

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
            InterventionAction.MODIFY_VARIABLES,
            Map.of("boss", "bert"),
            "Anna has decided already"));
    play.step(play.answer(BERT, YES));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }
}
