package dev.waymark.core.step.people;

import static dev.waymark.core.step.people.Voting.ANNA;
import static dev.waymark.core.step.people.Voting.BERT;
import static dev.waymark.core.step.people.Voting.CARL;
import static dev.waymark.core.step.people.Voting.FINN;
import static dev.waymark.core.step.people.Voting.NO;
import static dev.waymark.core.step.people.Voting.YES;
import static dev.waymark.core.step.people.Voting.attend;
import static dev.waymark.core.step.people.Voting.got;
import static dev.waymark.core.step.people.Voting.notifications;
import static dev.waymark.core.step.people.Voting.outcome;
import static dev.waymark.core.step.people.Voting.play;
import static dev.waymark.core.step.people.Voting.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.TaskAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who speaks for whom in an approval: substitutes, delegates, and those it is escalated to. */
final class ApprovalSubstitutesTest {

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
  void a_substitute_with_a_voice_of_their_own_decides_with_that_one() {
    Play play =
        play("{ approvers: [anna, bert], mode: all, substitutes: [{ for: anna, by: bert }] }");
    play.start(Map.of());

    assertThat(play.refused(play.answer(BERT, Map.of("outcome", "approved", "for", "anna"))))
        .contains("the voice of their own", "anna");
    play.step(play.answer(BERT, YES));

    // Nobody decides twice: hers is left to anna, who is still asked.
    assertThat(play.work().terms().candidates().users()).contains("anna");
    play.step(play.answer(ANNA, YES));
    assertThat(outcome(play)).isEqualTo("approved");
  }

  @Test
  void an_approver_lets_another_speak_but_never_the_maker() {
    Play play = play("{ approvers: [anna, carl], mode: all, exclude: rita }");
    play.start(Map.of());
    assertThat(play.refused(attend(play, ANNA, new TaskAction.Delegate("rita", null, null))))
        .isEqualTo("Expected somebody who may decide, but rita is excluded");
    assertThat(play.refused(attend(play, BERT, new TaskAction.Delegate("finn", null, null))))
        .isEqualTo("Expected bert to have a voice to hand over, but has none");
    play.step(
        attend(play, ANNA, new TaskAction.Delegate("bert", null, play.now.plusSeconds(3600))));

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
    play.step(
        attend(play, ANNA, new TaskAction.Delegate("bert", null, play.now.plusSeconds(3600))));
    assertThat(play.work().terms().candidates().users()).contains("bert");

    play.pass(Duration.ofHours(1));
    assertThat(play.work().terms().candidates().users()).containsExactly("anna");
    assertThat(play.refused(play.answer(BERT, YES))).contains("bert is none of them");
  }

  @Test
  void people_of_an_escalation_use_the_voices_that_are_still_unused() {
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
}
