package dev.waymark.core.step.walk;

import static dev.waymark.core.step.walk.Trigger.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever moves a token on may open, cancel, park, keep and end everything else. */
final class CascadeTest {

  @ParameterizedTest
  @EnumSource
  void it_opens_visits_of_every_state(Trigger trigger) {
    for (boolean here : List.of(true, false)) {
      Play play =
          start(
              trigger,
              """
                a: { type: set, next: t }
                T
                go: { type: fork, with: { branches: [body, wait, bad, kept] } }
                body: { type: work }
                wait: { type: wait }
                bad: { type: set, with: { x: "${ Variables.none }" } }
                kept: { type: set, compensate: undo }
                undo: { type: work }
              """);
      play.runner = here ? Play.NODE : null;
      trigger.pull(play);

      assertThat(play.at("body").state()).isEqualTo(here ? State.RUNNING : State.READY);
      assertThat(play.at("wait").state()).isEqualTo(State.WAITING);
      assertThat(play.at("bad").state()).isEqualTo(State.PARKED);
      assertThat(play.live().activities().values()).anyMatch(v -> v.state() == State.KEPT);
      assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_ends_visits_of_every_state(Trigger trigger) {
    Play play =
        start(
            trigger,
            """
              a:
                type: scope
                start: f
                activities:
                  f: { type: fork, with: { branches: [t, ready, running, wait, bad, kept] } }
                  T
                  ready: { type: work }
                  running: { type: work }
                  wait: { type: wait }
                  bad: { type: set, with: { x: "${ Variables.none }" } }
                  kept: { type: set, compensate: undo }
                  undo: { type: work }
                  go: { type: raise, with: { code: BOOM } }
                on: { error: { match: "Error.code == 'BOOM'", to: after } }
              after: { type: wait }
            """);
    trigger.pull(play);

    assertThat(play.standsAt()).containsExactly("after");
    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
  }

  @ParameterizedTest
  @EnumSource
  void it_lets_a_join_starve_and_a_scope_be_kept(Trigger trigger) {
    Play starving =
        start(
            trigger,
            """
              a: { type: fork, with: { branches: [t, one] } }
              T
              one: { type: set, next: both }
              both: { type: join, with: { wait: 2 } }
              go: { type: set, next: [{ when: "false", to: both }, { to: off }] }
              off: { type: wait }
            """);
    trigger.pull(starving);
    assertThat(starving.at("both").state()).isEqualTo(State.PARKED);

    Play keeping =
        start(
            trigger,
            """
              a:
                type: scope
                start: t
                activities:
                  T
                  go: { type: set }
                compensate: undo
                next: after
              undo: { type: work }
              after: { type: wait }
            """);
    trigger.pull(keeping);
    leaveFork(trigger, keeping);
    assertThat(keeping.standsAt()).containsExactly("after");
    assertThat(keeping.live().activities().values())
        .filteredOn(visit -> visit.state() == State.KEPT)
        .singleElement()
        .satisfies(visit -> assertThat(visit.activity()).isEqualTo("a"));
  }

  /** A migration moves one branch of the trigger's fork on; the other still waits. */
  private static void leaveFork(Trigger trigger, Play play) {
    if (trigger == Trigger.MIGRATE) {
      assertThat(play.standsAt()).contains("tb");
      play.resume("tb", Map.of());
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_ends_the_run_in_every_way(Trigger trigger) {
    for (String status : List.of("completed", "failed", "cancelled")) {
      for (String other :
          List.of(
              "wait: { type: wait }",
              "wait: { type: set, with: { x: \"${ Variables.none }\" } }")) {
        Play play =
            start(
                trigger,
                """
                  a: { type: fork, with: { branches: [t, wait] } }
                  T
                  %s
                  go: { type: terminate, with: { status: %s } }
                """
                    .formatted(other, status));
        trigger.pull(play);

        assertThat(play.live().status().name()).isEqualToIgnoringCase(status);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_finishes_an_undoing_that_ends_as_cancelled(Trigger trigger) {
    for (boolean held : List.of(false, true)) {
      Play play =
          start(
              trigger,
              """
                a: { type: set, compensate: undo, next: b }
                b: { type: wait }
                undo:
                  type: scope
                  start: t
                  activities:
                    T
                    go: { type: set }
              """);
      play.runner = Play.NODE;
      play.step(new Command.Cancel(play.meta(), "enough", true));
      if (held) {
        play.step(new Command.Suspend(play.meta(), "look"));
      }
      boolean answers =
          trigger == Trigger.RESUME || trigger == Trigger.DELIVER || trigger == Trigger.MIGRATE;
      if (held && answers) {
        // A held run takes no answer: it is let go first.
        String key = trigger == Trigger.MIGRATE ? "tb" : "t";
        assertThat(
                play.refused(
                    new Command.Resume(play.meta(), play.bookmark(key).id(), null, Map.of())))
            .startsWith("Expected a running instance, but test suspended it");
        play.step(new Command.Continue(play.meta(), "seen"));
      }
      trigger.pull(play);
      leaveFork(trigger, play);
      if (held && !answers && trigger != Trigger.CONTINUE) {
        assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
        play.step(new Command.Continue(play.meta(), "seen"));
      }
      play.pass(Duration.ZERO);

      assertThat(play.live().status()).isEqualTo(Status.CANCELLED);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESUME", "FIRE", "DELIVER"})
  void a_reaction_that_makes_no_sense_parks_what_reacts(Trigger trigger) {
    for (String type : List.of("work", "wait")) {
      for (boolean here : List.of(true, false)) {
        Play play =
            Play.of(
                "a",
                """
                  a:
                    type: %s
                    on:
                      %s
                  b: { type: work }
                """
                    .formatted(
                        type,
                        trigger == Trigger.FIRE
                            ? "timeout: { after: PT1H, to: b, output: { x: \"${ Variables.no }\" }"
                                + " }"
                            : "message: { name: t, to: b, output: { x: \"${ Variables.no }\" } }"));
        play.runner = here ? Play.NODE : null;
        play.start(Map.of());
        trigger.pull(play);

        assertThat(play.at("a").state()).isEqualTo(State.PARKED);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESUME", "FIRE", "DELIVER"})
  void a_body_that_comes_back_from_its_wait_goes_on(Trigger trigger) {
    for (boolean here : List.of(true, false)) {
      Play play = Play.of("t", "  t: { type: work }\n");
      play.start(Map.of());
      var visit = play.at("t");
      play.step(
          new Attempt.Await(
              play.meta(),
              visit.visit(),
              visit.attempt(),
              List.of(waitOf(trigger, play)),
              Map.of(),
              Effects.NONE,
              Duration.ZERO));
      play.runner = here ? Play.NODE : null;
      trigger.pull(play);

      assertThat(play.at("t").state()).isEqualTo(here ? State.RUNNING : State.READY);
    }
  }

  private static Wait waitOf(Trigger trigger, Play play) {
    return switch (trigger) {
      case FIRE -> new Wait(BookmarkKind.TIMER, "t", Map.of(), play.now.plus(Duration.ofHours(1)));
      case DELIVER -> new Wait(BookmarkKind.EXTERNAL_MESSAGE, "t", Map.of(), null);
      default -> new Wait(BookmarkKind.USER_ACTION, "t", Map.of(), null);
    };
  }
}
