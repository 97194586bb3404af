package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Play;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Branches side by side, and where they meet. */
final class ForkAndJoinTest {

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
}
