package dev.waymark.core.step.people;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.decide.Decider;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tasks that people claim, give back, delegate and assign to others. */
final class TaskTransfersTest {

  private static final Actor ANNA = Actor.of("anna");
  private static final Actor BERT = Actor.of("bert");
  private static final Actor FINN = new Actor("finn", "default", Set.of("finance"), Set.of());
  private static final Actor OPERATOR = new Actor("olga", "default", Set.of(), Set.of("operator"));

  private static Play play(String with) {
    Play play = Play.of("do", "  do:\n    type: user-task\n    with: " + with + "\n");
    return play.start(Map.of("amount", 60000));
  }

  private static Command.Attend attend(Play play, Actor actor, TaskAction act) {
    return new Command.Attend(play.meta(actor), play.work().id(), act);
  }

  @Test
  void it_goes_from_hand_to_hand_and_back() {
    Play play = play("{ candidates: [anna, bert], exclude: rita }");
    play.step(attend(play, ANNA, new TaskAction.Assign("anna", true)));
    assertThat(play.refused(play.answer(BERT, Map.of())))
        .isEqualTo("Expected anna for 'do', but bert is not");
    assertThat(play.refused(attend(play, OPERATOR, new TaskAction.Assign("bert", true))))
        .isEqualTo("Expected 'do' to be nobody's, but it is anna's");
    assertThat(play.refused(attend(play, ANNA, new TaskAction.Assign("rita", false))))
        .isEqualTo("Expected somebody who may act, but rita is excluded");

    play.step(attend(play, ANNA, new TaskAction.Return()));
    assertThat(play.work().terms().candidates().names())
        .containsExactlyInAnyOrder("user:anna", "user:bert");
    assertThat(play.refused(attend(play, ANNA, new TaskAction.Return())))
        .isEqualTo("Expected 'do' to be somebody's, but it is nobody's");

    play.step(attend(play, OPERATOR, new TaskAction.Assign("finn", false)));
    Step last = play.step(play.answer(FINN, Map.of()));
    assertThat(last.after().status()).isEqualTo(Status.COMPLETED);
    assertThat(
            play.history.stream()
                .filter(entry -> entry.type() == HistoryEntry.Type.TASK_CHANGED)
                .map(entry -> entry.actor() + " " + entry.detail()))
        .containsExactly(
            "anna {act=assign, to=anna}", "anna {act=return}", "olga {act=assign, to=finn}");
  }

  @Test
  void a_task_of_the_only_candidate_cannot_be_given_back() {
    Play play = play("{ assignee: anna }");

    assertThat(play.refused(attend(play, ANNA, new TaskAction.Return())))
        .isEqualTo(
            "Expected others who could do 'do', but only anna is named: assign it to somebody");
  }

  @Test
  void what_is_delegated_is_resolved_and_completed_by_its_owner() {
    Play play = play("{ assignee: anna, exclude: rita }");
    assertThat(play.refused(attend(play, ANNA, new TaskAction.Delegate("rita", null, null))))
        .isEqualTo("Expected somebody who may act, but rita is excluded");
    assertThat(play.refused(attend(play, ANNA, new TaskAction.Resolve(""))))
        .isEqualTo("Expected 'do' to be delegated, but it is not");
    play.step(attend(play, ANNA, new TaskAction.Delegate("bert", null, null)));

    assertThat(play.refused(play.answer(ANNA, Map.of())))
        .isEqualTo("Expected bert for 'do', but anna is not");
    assertThat(play.refused(play.answer(BERT, Map.of())))
        .isEqualTo(
            "Expected bert to resolve what anna delegated, but got an answer: anna completes it"
                + " then");
    play.step(attend(play, BERT, new TaskAction.Delegate("finn", null, null)));
    play.step(attend(play, FINN, new TaskAction.Resolve("Looks good")));
    play.step(play.answer(ANNA, Map.of()));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_claim_stands_against_everybody_but_its_holder_and_operators() {
    Play play = play("{ candidates: [anna, bert] }");
    Bookmark task = play.work();
    Bookmark claimed =
        new Bookmark(
            task.id(),
            task.visit(),
            task.kind(),
            task.key(),
            task.payload(),
            task.due(),
            new Lease("anna", 3, play.now.plusSeconds(60)),
            task.created(),
            null,
            task.terms());
    StoredFacts prior = new StoredFacts(null, claimed, null);

    Command byBert = attend(play, BERT, new TaskAction.Assign("bert", false));
    assertThat(Decider.decide(play.definition, play.instance, prior, byBert))
        .extracting(decision -> ((Decision.Rejection) decision).message())
        .isEqualTo("Expected 'do' to be free, but anna holds it until 2026-01-12T09:01:00Z");
    Command comment = attend(play, BERT, new TaskAction.Comment("Leave it to me"));
    assertThat(Decider.decide(play.definition, play.instance, prior, comment))
        .isInstanceOf(Step.class);
    Command byOperator = attend(play, OPERATOR, new TaskAction.Assign("bert", false));
    Step step = (Step) Decider.decide(play.definition, play.instance, prior, byOperator);
    assertThat(step.amended().get(0).released()).isTrue();
  }
}
