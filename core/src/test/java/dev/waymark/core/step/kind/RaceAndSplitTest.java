package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.step.Command;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The first of several waits, and every way that holds. */
final class RaceAndSplitTest {

  @Test
  void the_first_wait_wins_and_the_others_are_withdrawn_in_the_same_step() {
    Play play =
        Play.of(
            "r",
            """
              r:
                type: race
                with:
                  waits:
                    yes: { for: user-action, key: yes, to: good }
                    late: { after: PT1H }
                    never: { for: signal, key: n, when: "${ false }" }
                next: bad
              good: { type: work }
              bad: { type: work }
            """);

    play.start(Map.of());
    assertThat(play.live().bookmarks()).hasSize(2);
    Step step =
        play.step(new Command.Resume(play.meta(), play.bookmark("yes").id(), null, Map.of()));

    assertThat(step.spends()).hasSize(2);
    assertThat(play.live().bookmarks()).isEmpty();
    assertThat(play.standsAt()).containsExactly("good");
    assertThat(play.live().variables()).containsEntry("winner", "yes");
  }

  @Test
  void a_split_takes_every_way_that_holds_and_the_join_waits_for_those() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: split
                next:
                  - { when: "Variables.n > 1", to: a }
                  - { when: "Variables.n > 5", to: b }
                  - { to: c }
              a: { type: work, next: j }
              b: { type: work, next: j }
              c: { type: work, next: j }
              j: { type: join, next: done }
              done: { type: work }
            """);

    play.start(Map.of("n", 7));
    assertThat(play.standsAt()).containsExactly("s", "a", "b");
    play.complete("a");
    assertThat(play.standsAt()).containsExactly("s", "b", "j");
    play.complete("b");
    assertThat(play.standsAt()).containsExactly("done");
  }
}
