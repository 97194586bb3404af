package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Wait;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of bodies: how an attempt begins, fails, and is taken over. */
final class AttemptsTest {

  @Test
  void an_answer_to_a_running_body_starts_it_no_second_time() {
    Play play = Play.of("a", "  a: { type: work }\n");
    play.start(Map.of());
    play.step(
        new Attempt.Await(
            play.meta(),
            1,
            1,
            java.util.List.of(
                new Wait(BookmarkKind.USER_ACTION, "first", Map.of(), null),
                new Wait(BookmarkKind.USER_ACTION, "second", Map.of(), null)),
            Map.of(),
            Effects.NONE,
            Duration.ZERO));

    Step first =
        play.step(new Command.Resume(play.meta(), play.bookmark("first").id(), null, Map.of()));
    Step second =
        play.step(new Command.Resume(play.meta(), play.bookmark("second").id(), null, Map.of()));

    assertThat(first.started()).hasSize(1);
    assertThat(second.changed()).hasSize(1);
    assertThat(second.started()).isEmpty();
  }

  @Test
  void a_failing_body_is_retried_with_growing_pauses_and_then_parked() {
    Play play =
        Play.of(
            "a",
            """
              a:
                type: work
                retry: { attempts: 3, backoff: PT1S, maxBackoff: PT1M, jitter: 0 }
            """);
    play.start(Map.of()).fail("a", "DOWN");

    assertThat(play.at("a").state()).isEqualTo(State.READY);
    assertThat(play.at("a").due()).isEqualTo(play.now.plusSeconds(1));
    assertThat(play.decide(new Attempt.Take(play.meta(), 1))).isInstanceOf(Rejection.class);

    play.now = play.now.plusSeconds(1);
    play.step(new Attempt.Take(play.meta(), 1));
    assertThat(play.at("a").attempt()).isEqualTo(2);
    play.fail("a", "DOWN");
    assertThat(play.at("a").due()).isEqualTo(play.now.plusSeconds(2));

    play.now = play.now.plusSeconds(2);
    play.step(new Attempt.Take(play.meta(), 1));
    play.fail("a", "DOWN");
    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);

    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("a").id(),
            InterventionAction.RETRY_ACTIVITY,
            Map.of(),
            "up"));
    assertThat(play.at("a").attempt()).isEqualTo(4);
    assertThat(play.at("a").failures()).isZero();
    play.complete("a");
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_zombie_cannot_complete_an_attempt_that_was_taken_over() {
    Play play = Play.of("a", "  a: { type: work }\n");
    play.start(Map.of());
    Command late =
        new Attempt.Complete(play.meta(), 1, 1, Map.of(), Effects.NONE, Duration.ofMillis(1));

    play.step(new Attempt.Recover(play.meta(), 1, 1, true));

    assertThat(play.decide(late))
        .isInstanceOfSatisfying(
            Rejection.class, r -> assertThat(r.code()).isEqualTo(Rejection.Code.SUPERSEDED));
    assertThat(play.at("a").attempt()).isEqualTo(2);
    assertThat(play.decide(new Attempt.Recover(play.meta(), 1, 1, true)))
        .isInstanceOf(NoChange.class);
  }

  @Test
  void the_third_crash_parks() {
    Play play = Play.of("a", "  a: { type: work }\n");
    play.start(Map.of());

    for (int attempt = 1; attempt <= 3; attempt++) {
      play.step(new Attempt.Recover(play.meta(), 1, attempt, true));
    }

    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
    assertThat(play.at("a").fault().code()).isEqualTo("CRASHED");
  }

  @Test
  void what_is_not_repeatable_is_parked_by_takeover() {
    Play play = Play.of("a", "  a: { type: work, repeatable: false }\n");
    play.start(Map.of());

    play.step(new Attempt.Recover(play.meta(), 1, 1, true));

    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
  }
}
