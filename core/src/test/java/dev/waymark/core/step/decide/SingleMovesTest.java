package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Moves that only one command makes. */
final class SingleMovesTest {

  private static final String MIXED =
      """
        f: { type: fork, with: { branches: [ready, bad, kept] } }
        ready: { type: work }
        bad: { type: set, with: { x: "${ Variables.none }" }, compensate: undo }
        undo: { type: work }
        kept: { type: set, compensate: fix }
        fix: { type: set, with: { y: "${ Variables.none }" } }
      """;

  private static Play mixed() {
    Play play = Play.of("f", MIXED);
    play.runner = null;
    return play.start(Map.of());
  }

  @Test
  void a_cancel_ends_whatever_there_is() {
    Play play = mixed();
    play.step(new Command.Cancel(play.meta(), "enough", false));
    assertThat(play.live().status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void a_cancel_that_undoes_may_park_at_once() {
    Play play = mixed();
    play.step(new Command.Cancel(play.meta(), "enough", true));
    assertThat(play.at("fix").state()).isEqualTo(State.PARKED);
  }

  @Test
  void a_cancel_that_undoes_gets_a_parked_run_going() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: set, compensate: u, next: bad }
              u: { type: work }
              bad: { type: set, with: { x: "${ Variables.none }" } }
            """);
    play.start(Map.of()).step(new Command.Cancel(play.meta(), "enough", true));
    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
    assertThat(play.standsAt()).containsExactly("$root", "u");
  }

  @Test
  void a_cancel_that_undoes_may_leave_its_handler_to_others() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: set, compensate: u, next: b }
              u: { type: work }
              b: { type: wait }
            """);
    play.runner = null;
    play.start(Map.of()).step(new Command.Cancel(play.meta(), "enough", true));
    assertThat(play.at("u").state()).isEqualTo(State.READY);
  }

  @Test
  void an_operator_who_looks_at_what_is_parked_may_cancel_the_run() {
    Play play = mixed();
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("bad").id(),
            InterventionAction.CANCEL_WORKFLOW,
            Map.of(),
            "no"));
    assertThat(play.live().status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void what_is_skipped_can_be_undone_too() {
    Play play = mixed();
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("bad").id(),
            InterventionAction.SKIP_ACTIVITY,
            Map.of(),
            "done"));
    assertThat(play.standsAt()).containsExactly("f", "ready");
  }

  @Test
  void a_retry_waits_again_or_is_left_to_others() {
    Play play =
        Play.of(
            "f",
            """
              f: { type: fork, with: { branches: [w, b] } }
              w: { type: wait, with: { key: "${ Variables.key }" } }
              b: { type: work, with: { x: "${ Variables.key }" } }
            """);
    play.runner = null;
    play.start(Map.of());
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("w").id(),
            InterventionAction.MODIFY_VARIABLES,
            Map.of("key", "k"),
            "was missing"));
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("b").id(),
            InterventionAction.RETRY_ACTIVITY,
            Map.of(),
            "now"));

    assertThat(play.at("w").state()).isEqualTo(State.WAITING);
    assertThat(play.at("b").state()).isEqualTo(State.READY);
  }

  @Test
  void a_parent_cancels_its_child_held_back_or_not() {
    for (boolean held : List.of(false, true)) {
      Play play = Play.of("w", "  w: { type: wait }\n");
      play.start(Map.of());
      if (held) {
        play.step(new Command.Suspend(play.meta(), "look"));
      }
      play.message(Message.CANCEL, Map.of("reason", "gone"));
      assertThat(play.live().status()).isEqualTo(Status.CANCELLED);
    }
  }

  @Test
  void a_definition_can_cancel_its_run_and_says_why() {
    Play play =
        Play.of("t", "  t: { type: terminate, with: { status: cancelled, message: No stock } }\n");
    play.start(Map.of());
    assertThat(play.live().status()).isEqualTo(Status.CANCELLED);
    assertThat(play.history.getLast().detail()).isEqualTo(Map.of("reason", "No stock"));
  }

  @Test
  void a_run_can_fail_in_its_first_step() {
    Play play = Play.of("t", "  t: { type: terminate, with: { status: failed } }\n");
    play.start(Map.of());
    assertThat(play.live().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void a_body_is_given_back_taken_over_or_goes_on_waiting_with_more_to_do() {
    Play play = Play.of("b", "  b: { type: work }\n");
    play.start(Map.of());
    ActivityInstance visit = play.at("b");
    play.step(new Attempt.Release(play.meta(), visit.visit(), visit.attempt(), null));
    play.step(new Attempt.Take(play.meta(), visit.visit()));
    play.runner = null;
    play.step(new Attempt.Recover(play.meta(), visit.visit(), 2, false));
    play.runner = Play.NODE;
    play.step(new Attempt.Take(play.meta(), visit.visit()));
    await(play, "one", "two");
    play.resume("one", Map.of()).resume("two", Map.of());
    play.runner = null;
    await(play, "three");

    assertThat(play.at("b").state()).isEqualTo(State.READY);
  }

  private static void await(Play play, String... keys) {
    ActivityInstance visit = play.at("b");
    List<Wait> waits =
        List.of(keys).stream()
            .map(key -> new Wait(BookmarkKind.USER_ACTION, key, Map.of(), null))
            .toList();
    play.step(
        new Attempt.Await(
            play.meta(),
            visit.visit(),
            visit.attempt(),
            waits,
            Map.of(),
            Effects.NONE,
            Duration.ZERO));
  }
}
