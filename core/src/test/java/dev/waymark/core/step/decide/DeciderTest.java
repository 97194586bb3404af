package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a step moves a run: from activity to activity, until it rests, is held or ends. */
final class DeciderTest {

  @Test
  void five_activities_cost_six_steps() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: work, next: b }
              b: { type: work, next: c }
              c: { type: work, next: d }
              d: { type: work, next: e }
              e: { type: work }
            """);

    play.start(Map.of());
    for (String activity : new String[] {"a", "b", "c", "d", "e"}) {
      play.complete(activity);
    }

    assertThat(play.live().version()).isEqualTo(6);
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void pure_activities_are_passed_in_one_step() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: set, with: { x: "${ Variables.n + 1 }" }, next: b }
              b: { type: set, with: { y: "${ Variables.x * 2 }" }, next: c }
              c: { type: end }
            """);

    play.start(Map.of("n", 20));

    assertThat(play.live().version()).isEqualTo(1);
    assertThat(play.live().variables()).containsEntry("x", 21L).containsEntry("y", 42L);
    assertThat(play.completed()).containsExactly("a", "b", "c");
  }

  @Test
  void the_first_condition_that_holds_wins() {
    Play play =
        Play.of(
            "a",
            """
              a:
                type: work
                next:
                  - { when: "Output.n > 10", to: big }
                  - { when: "Output.n > 5", to: middle }
                  - { to: small }
              big: { type: work }
              middle: { type: work }
              small: { type: work }
            """);

    play.start(Map.of()).complete("a", Map.of("n", 7));

    assertThat(play.standsAt()).containsExactly("middle");
  }

  @Test
  void a_missing_match_parks_and_loses_no_output() {
    Play play =
        Play.of(
            "a",
            """
              a:
                type: work
                next: [{ when: "Variables.go == true", to: b }]
              b: { type: work }
            """);
    play.start(Map.of("go", false)).complete("a", Map.of("result", 1));

    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(play.live().variables()).containsEntry("result", 1L);
    assertThat(play.bookmark("a").kind()).isEqualTo(BookmarkKind.MANUAL_INTERVENTION);
    assertThat(play.at("a").state()).isEqualTo(State.PARKED);

    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("a").id(),
            InterventionAction.RETRY_ACTIVITY,
            Map.of(),
            "look"));
    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
  }

  @Test
  void terminate_ends_everything() {
    Play play =
        Play.of(
            "split",
            """
              split: { type: fork, with: { branches: [a, b] } }
              a: { type: work, next: stop }
              b: { type: wait, next: c }
              c: { type: work }
              stop: { type: terminate, with: { status: failed, code: NO, message: "not today" } }
            """);

    play.start(Map.of()).complete("a");

    assertThat(play.live().status()).isEqualTo(Status.FAILED);
    assertThat(play.live().fault().code()).isEqualTo("NO");
  }

  @Test
  void a_loop_without_a_wait_is_parked_at_its_budget() {
    Play play =
        new Play(
            """
            waymark: 1
            key: play
            maxVisits: 5
            start: a
            activities:
              a: { type: work, next: [{ when: "Output.again == true", to: a }, { to: z }] }
              z: { type: end }
            """);
    play.start(Map.of());

    for (int i = 0; i < 5; i++) {
      play.complete("a", Map.of("again", true));
    }

    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(play.at("a").fault().code()).isEqualTo("TOO_MANY_VISITS");
  }

  @Test
  void a_loop_with_a_wait_has_no_budget() {
    Play play =
        new Play(
            """
            waymark: 1
            key: play
            maxVisits: 3
            start: a
            activities:
              a: { type: work, next: ask }
              ask: { type: wait, next: [{ when: "Output.again == true", to: a }, { to: z }] }
              z: { type: end }
            """);
    play.start(Map.of());

    for (int i = 0; i < 20; i++) {
      play.complete("a").resume("ask", Map.of("again", true));
    }

    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void a_held_instance_starts_nothing_and_loses_nothing() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: work, next: b }
              b: { type: work }
            """);
    play.start(Map.of());

    play.step(new Command.Suspend(play.meta(), "audit"));
    play.complete("a", Map.of("x", 1));
    assertThat(play.standsAt()).containsExactly("a");
    assertThat(play.at("a").state()).isEqualTo(State.READY);
    assertThat(play.at("a").due()).isNull();
    assertThat(play.live().variables()).isEmpty();
    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);

    play.step(new Command.Continue(play.meta(), "done"));
    assertThat(play.live().variables()).isEqualTo(Map.of("x", 1L));
    assertThat(play.at("b").state()).isEqualTo(State.RUNNING);
    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void cancel_withdraws_what_is_open() {
    Play play = Play.of("ask", "  ask: { type: wait, next: z }\n  z: { type: end }\n");
    play.start(Map.of());

    Step step = play.step(new Command.Cancel(play.meta(), "no longer wanted", false));

    assertThat(step.spends()).hasSize(1);
    assertThat(play.live().status()).isEqualTo(Status.CANCELLED);
    assertThat(play.decide(new Command.Cancel(play.meta(), "again", false)))
        .isInstanceOf(NoChange.class);
  }

  @Test
  void an_expression_that_fails_parks_the_activity_with_the_reason() {
    Play play = Play.of("a", "  a: { type: set, with: { x: '${ Variables.nothing.here }' } }\n");

    play.start(Map.of());

    assertThat(play.at("a").fault().code()).isEqualTo("EXPRESSION");
    assertThat(play.at("a").fault().message()).contains("/activities/a/with/x").contains("nothing");
  }

  @Test
  void consecutive_steps_become_one_unit_with_one_image_per_row() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: work, next: b }
              b: { type: work, next: c }
              c: { type: work }
            """);
    play.start(Map.of());
    Step first =
        play.step(
            new Attempt.Complete(play.meta(), 1, 1, Map.of("x", 1L), Effects.NONE, Duration.ZERO));
    Step second =
        play.step(new Attempt.Complete(play.meta(), 2, 1, Map.of(), Effects.NONE, Duration.ZERO));

    Unit unit = Unit.of(first).then(second);

    assertThat(unit.before()).isEqualTo(1);
    assertThat(unit.after().version()).isEqualTo(3);
    assertThat(unit.ended()).containsExactly(1L);
    assertThat(unit.begun()).extracting(a -> a.activity()).containsExactly("c");
    assertThat(unit.history())
        .extracting(e -> e.type())
        .containsExactly(
            HistoryEntry.Type.ACTIVITY_COMPLETED, HistoryEntry.Type.ACTIVITY_COMPLETED);
    assertThat(unit.variables()).isTrue();
  }
}
