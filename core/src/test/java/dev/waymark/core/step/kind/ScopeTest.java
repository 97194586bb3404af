package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.step.Play;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Activities inside of others, with variables of their own. */
final class ScopeTest {

  @Test
  void a_scope_has_variables_of_its_own_and_gives_out_what_its_output_says() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: scope
                variables: { x: "${ Variables.n + 1 }", y: 0 }
                start: inner
                activities:
                  inner: { type: set, with: { y: "${ Variables.x * 2 }", z: 5, n: 7 } }
                output: { result: "${ Output.y }" }
                next: after
              after: { type: set, with: { seen: "${ has(Variables.y) }" } }
            """);

    play.start(Map.of("n", 1));

    assertThat(play.live().variables())
        .isEqualTo(Map.of("n", 7L, "z", 5L, "result", 4L, "seen", false));
    assertThat(play.completed()).containsExactly("inner", "s", "after");
  }

  @Test
  void a_scope_is_done_when_nothing_inside_is_alive() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: scope
                start: f
                activities:
                  f: { type: fork, with: { branches: [a, b] } }
                  a: { type: work }
                  b: { type: work }
                next: after
              after: { type: work }
            """);

    play.start(Map.of()).complete("b");
    assertThat(play.standsAt()).containsExactly("s", "f", "a");

    play.complete("a");
    assertThat(play.standsAt()).containsExactly("after");
  }
}
