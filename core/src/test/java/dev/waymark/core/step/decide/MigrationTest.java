package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MigrationTest {

  private static final String FORKED =
      """
        f: { type: fork, with: { branches: [a, b] } }
        a: { type: work, next: j }
        b: { type: wait, with: { key: b }, on: { timeout: { after: PT5H, to: j } }, next: j }
        j: { type: join, next: done }
        done: { type: work }
      """;

  @Test
  void waits_timers_and_tokens_at_a_join_are_kept_under_their_new_names() {
    Play play = Play.of("f", FORKED);
    play.start(Map.of()).complete("a");
    Bookmark wait = play.bookmark("b");
    play.now = play.now.plus(Duration.ofHours(2));

    play.migrate(
        Play.second(
            "f",
            """
              f: { type: fork, with: { branches: [a, question] } }
              a: { type: work, next: meet }
              question:
                type: wait
                with: { key: b }
                on: { timeout: { after: PT1H, to: late } }
                next: meet
              late: { type: work, next: meet }
              meet: { type: join, next: done }
              done: { type: work }
            """),
        MigrationPlan.PLAIN.rename("b", "question").rename("j", "meet").set("new", 1L));

    assertThat(play.standsAt()).containsExactly("f", "question", "meet");
    assertThat(play.bookmark("b")).isEqualTo(wait);
    assertThat(play.live().origin().definition()).isEqualTo(2);
    assertThat(play.live().variables()).containsEntry("new", 1L);
    // The timer that ran goes on running: five hours from the start, three from now.
    play.pass(Duration.ofHours(2));
    assertThat(play.standsAt()).containsExactly("f", "question", "meet");
    play.pass(Duration.ofHours(1));
    assertThat(play.standsAt()).containsExactly("f", "meet", "late");
    play.complete("late");
    assertThat(play.standsAt()).containsExactly("done");
  }

  @Test
  void a_join_that_nothing_can_reach_any_more_goes_on_in_the_migrating_step() {
    Play play = Play.of("f", FORKED);
    play.start(Map.of()).complete("a");

    play.migrate(
        Play.second(
            "f",
            """
              f: { type: fork, with: { branches: [a, b] } }
              a: { type: work, next: j }
              b: { type: wait, with: { key: b } }
              j: { type: join, next: done }
              done: { type: work }
            """),
        MigrationPlan.PLAIN);

    assertThat(play.standsAt()).containsExactly("f", "b", "done");
  }

  @Test
  void what_would_have_no_place_is_told_and_nothing_is_changed() {
    Play play = Play.of("f", FORKED);
    play.start(Map.of());

    Decision decision =
        play.decide(
            new Command.Migrate(
                play.meta(),
                play.definition,
                Play.second("a", "  a: { type: wait, next: z }\n  z: { type: end }\n"),
                MigrationPlan.PLAIN));

    assertThat(((Rejection) decision).message())
        .isEqualTo("Expected an activity for 'f' in play v2, but there is no 'f'");
  }

  @Test
  void a_running_body_keeps_its_type_but_a_parked_one_may_get_another() {
    Play play = Play.of("a", "  a: { type: work, retry: { attempts: 1 } }\n");
    Definition first = play.definition;
    Definition second = Play.second("a", "  a: { type: work@2 }\n");
    play.start(Map.of());

    assertThat(
            play.decide(
                new Command.Migrate(play.meta(), play.definition, second, MigrationPlan.PLAIN)))
        .isInstanceOf(Rejection.class);
    play.fail("a", "BROKEN").migrate(second, MigrationPlan.PLAIN);

    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
    assertThat(play.decide(new Command.Migrate(play.meta(), first, second, MigrationPlan.PLAIN)))
        .isInstanceOf(NoChange.class);
  }

  @Test
  void a_run_gets_the_reactions_that_only_its_new_version_has() {
    Play play = Play.of("a", "  a: { type: work }\n");
    play.start(Map.of());

    play.migrate(
        Play.parse(
                """
                waymark: 1
                key: play
                on: { message: { name: stop, to: z } }
                start: a
                activities:
                  a: { type: work }
                  z: { type: terminate, with: { status: failed } }
                """)
            .deployedAs(2, 2),
        MigrationPlan.PLAIN);
    play.message("stop", Map.of());

    assertThat(play.live().status()).isEqualTo(Status.FAILED);
  }

  // ---- edits

  private Step edit(Play play, Correction correction) {
    return play.step(new Command.Edit(play.meta(), correction, "because"));
  }

  @Test
  void an_operator_sets_variables_moves_a_token_and_restarts() {
    Play play = Play.of("f", FORKED);
    play.start(Map.of("x", 1, "y", 2));

    edit(play, new Correction.SetVariables(Map.of("x", 5L), List.of("y")));
    assertThat(play.live().variables()).isEqualTo(Map.of("x", 5L));

    edit(play, new Correction.MoveToken(play.at("b").visit(), "j"));
    assertThat(play.standsAt()).containsExactly("f", "a", "j");

    edit(play, new Correction.RestartFrom("done"));
    assertThat(play.standsAt()).containsExactly("done");
    assertThat(play.live().bookmarks()).isEmpty();
  }

  @Test
  void an_edit_that_makes_no_sense_is_refused() {
    Play play = Play.of("f", FORKED);
    play.start(Map.of());

    assertThat(refusal(play, new Correction.MoveToken(99, "j"))).contains("no", "99");
    assertThat(refusal(play, new Correction.MoveToken(play.at("a").visit(), "nowhere")))
        .contains("but got 'nowhere'");
    assertThat(refusal(play, new Correction.RestartFrom("nowhere"))).contains("Expected one of");
  }

  private static String refusal(Play play, Correction correction) {
    return ((Rejection) play.decide(new Command.Edit(play.meta(), correction, "r"))).message();
  }

  @Test
  void a_parked_activity_can_be_skipped_with_a_result() {
    Play play =
        Play.of("a", "  a: { type: work, retry: { attempts: 1 }, next: b }\n  b: { type: work }\n");
    play.start(Map.of()).fail("a", "X");

    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("a").id(),
            InterventionAction.SKIP_ACTIVITY,
            Map.of("done", "by hand"),
            "phoned them"));

    assertThat(play.standsAt()).containsExactly("b");
    assertThat(play.live().variables()).containsEntry("done", "by hand");
  }

  @Test
  void a_cancel_can_undo_what_is_completed_first() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: work, compensate: u, next: b }
              u: { type: work }
              b: { type: work }
            """);
    play.start(Map.of()).complete("a");

    play.step(new Command.Cancel(play.meta(), "changed my mind", true));
    assertThat(play.standsAt()).containsExactly("$root", "u");
    play.complete("u");

    assertThat(play.live().status()).isEqualTo(Status.CANCELLED);
  }
}
