package dev.waymark.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command.Intervene.Action;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
            Action.RETRY_ACTIVITY,
            Map.of(),
            "look"));
    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
  }

  @Test
  void branches_run_side_by_side_and_join() {
    Play play =
        Play.of(
            "split",
            """
              split: { type: fork, with: { branches: [a, b] } }
              a: { type: work, next: gather }
              b: { type: work, next: gather }
              gather: { type: join, next: c }
              c: { type: work }
            """);
    play.start(Map.of());
    assertThat(play.standsAt()).containsExactly("split", "a", "b");

    play.complete("b");
    assertThat(play.standsAt()).containsExactly("split", "a", "gather");

    play.complete("a");
    assertThat(play.standsAt()).containsExactly("c");
    play.complete("c");
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.completed()).containsExactly("b", "a", "gather", "c");
  }

  @Test
  void a_join_of_all_does_not_wait_for_a_branch_that_ended_elsewhere() {
    Play play =
        Play.of(
            "split",
            """
              split: { type: fork, with: { branches: [a, b] } }
              a: { type: work, next: gather }
              b:
                type: work
                next:
                  - { when: "Output.skip == true", to: aside }
                  - { to: gather }
              aside: { type: end }
              gather: { type: join, next: c }
              c: { type: work }
            """);

    play.start(Map.of()).complete("a").complete("b", Map.of("skip", true));

    assertThat(play.standsAt()).containsExactly("c");
  }

  @Test
  void a_join_of_any_goes_on_once_and_takes_the_late_ones_in() {
    Play play =
        Play.of(
            "split",
            """
              split: { type: fork, with: { branches: [a, b, c] } }
              a: { type: work, next: gather }
              b: { type: work, next: gather }
              c: { type: work, next: gather }
              gather: { type: join, with: { wait: any }, next: d }
              d: { type: work }
            """);

    play.start(Map.of()).complete("b").complete("d");
    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
    play.complete("a").complete("c");

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.completed()).containsExactly("b", "gather", "d", "a", "c");
  }

  @Test
  void a_join_that_cancels_the_rest_ends_them_in_the_same_step() {
    Play play =
        Play.of(
            "split",
            """
              split: { type: fork, with: { branches: [a, b] } }
              a: { type: work, next: gather }
              b: { type: wait, next: gather }
              gather: { type: join, with: { wait: 1, rest: cancel }, next: d }
              d: { type: work }
            """);

    play.start(Map.of()).complete("a");

    assertThat(play.standsAt()).containsExactly("d");
    assertThat(play.live().bookmarks()).isEmpty();
  }

  @Test
  void two_joins_of_one_fork_meet_in_a_third() {
    Play play =
        Play.of(
            "split",
            """
              split: { type: fork, with: { branches: [a, b, c, d] } }
              a: { type: work, next: left }
              b: { type: work, next: left }
              c: { type: work, next: right }
              d: { type: work, next: right }
              left: { type: join, next: both }
              right: { type: join, next: both }
              both: { type: join, next: end }
              end: { type: work }
            """);

    play.start(Map.of()).complete("a").complete("b");
    assertThat(play.standsAt()).contains("both").doesNotContain("end");
    play.complete("c").complete("d");

    assertThat(play.standsAt()).containsExactly("end");
  }

  @Test
  void a_fork_in_a_fork_joins_inside_first() {
    Play play =
        Play.of(
            "outer",
            """
              outer: { type: fork, with: { branches: [x, inner] } }
              inner: { type: fork, with: { branches: [a, b] } }
              a: { type: work, next: gather-inner }
              b: { type: work, next: gather-inner }
              gather-inner: { type: join, next: y }
              y: { type: work, next: gather }
              x: { type: work, next: gather }
              gather: { type: join, next: z }
              z: { type: work }
            """);

    play.start(Map.of()).complete("x").complete("a").complete("b");
    assertThat(play.standsAt()).contains("gather", "y").doesNotContain("z");
    play.complete("y").complete("z");

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void too_few_branches_for_a_join_park_it() {
    Play play =
        Play.of(
            "split",
            """
              split: { type: fork, with: { branches: [a, b] } }
              a: { type: work, next: gather }
              b: { type: work, next: aside }
              aside: { type: end }
              gather: { type: join, with: { wait: 2 }, next: c }
              c: { type: work }
            """);

    play.start(Map.of()).complete("a").complete("b");

    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(play.at("gather").state()).isEqualTo(State.PARKED);
  }

  @Test
  void a_fork_over_its_budget_is_parked_and_the_run_does_not_complete() {
    Play play =
        new Play(
            """
            waymark: 1
            key: play
            maxVisits: 2
            start: split
            activities:
              split: { type: fork, with: { branches: [a] } }
              a: { type: work, next: [{ when: "Output.again == true", to: split }, { to: z }] }
              z: { type: end }
            """);
    play.start(Map.of());

    play.complete("a", Map.of("again", true)).complete("a", Map.of("again", true));

    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(play.standsAt()).contains("split");
  }

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
                new Command.Wait(BookmarkKind.USER_ACTION, "first", Map.of(), null),
                new Command.Wait(BookmarkKind.USER_ACTION, "second", Map.of(), null)),
            Map.of(),
            Command.Effects.NONE,
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
  void a_time_that_nothing_can_store_parks_the_timer() {
    Play play = Play.of("t", "  t: { type: timer, with: { until: '${ Variables.until }' } }\n");

    play.start(Map.of("until", "+1000000000-12-31T23:59:59Z"));

    assertThat(play.at("t").fault().code()).isEqualTo("BAD_INPUT");
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
            play.meta(Play.ADMIN), play.bookmark("a").id(), Action.RETRY_ACTIVITY, Map.of(), "up"));
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
        new Attempt.Complete(
            play.meta(), 1, 1, Map.of(), Command.Effects.NONE, Duration.ofMillis(1));

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

  @Test
  void an_answer_becomes_the_output_of_a_wait() {
    Play play =
        Play.of(
            "ask",
            """
              ask: { type: wait, with: { key: "k-${ Variables.n }", payload: { q: "ok?" } }, next: z }
              z: { type: end }
            """);
    play.start(Map.of("n", 4));
    assertThat(play.bookmark("k-4").payload()).containsEntry("q", "ok?");

    play.resume("k-4", Map.of("ok", true));

    assertThat(play.live().variables()).containsEntry("ok", true);
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_timer_never_fires_early() {
    Play play =
        Play.of(
            "t",
            """
              t: { type: timer, with: { after: PT1H }, next: z }
              z: { type: end }
            """);
    play.start(Map.of());
    Command.Fire early = new Command.Fire(play.meta(), play.bookmark("t").id());
    assertThat(play.decide(early)).isInstanceOf(Rejection.class);

    play.now = play.now.plus(Duration.ofHours(1));
    play.step(new Command.Fire(play.meta(), play.bookmark("t").id()));

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
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
    assertThat(play.at("b").state()).isEqualTo(State.READY);
    assertThat(play.at("b").due()).isNull();
    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);

    play.step(new Command.Continue(play.meta(), "done"));
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
            new Attempt.Complete(
                play.meta(), 1, 1, Map.of("x", 1L), Command.Effects.NONE, Duration.ZERO));
    Step second =
        play.step(
            new Attempt.Complete(play.meta(), 2, 1, Map.of(), Command.Effects.NONE, Duration.ZERO));

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
