package dev.waymark.core.step.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Play;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an answer must be like, and who may give it. */
final class GuardTest {

  @Test
  void an_answer_that_the_guard_does_not_let_pass_is_refused_and_the_wait_stays() {
    Play play =
        Play.of(
            "w",
            """
              w:
                type: wait
                with: { key: k }
                guard:
                  when: "Context.actor != Variables.requester"
                  message: Nobody approves their own.
                  result: { type: object, required: [outcome] }
            """);
    play.start(Map.of("requester", "test"));

    var bare = new Command.Resume(play.meta(), play.bookmark("k").id(), null, Map.of());
    var own =
        new Command.Resume(play.meta(), play.bookmark("k").id(), null, Map.of("outcome", "ok"));

    assertThat(((Decision.Rejection) play.decide(bare)).message()).contains("outcome");
    assertThat(((Decision.Rejection) play.decide(own)).message())
        .isEqualTo(
            "Expected the guard of 'w' to hold, but it does not: Nobody approves their own.");
  }

  @Test
  void a_guard_asks_for_a_role() {
    Play play =
        Play.of("w", "  w: { type: wait, with: { key: k }, guard: { roles: [boss, chief] } }\n");
    play.start(Map.of());

    var resume = new Command.Resume(play.meta(), play.bookmark("k").id(), null, Map.of());

    assertThat(((Decision.Rejection) play.decide(resume)).message())
        .isEqualTo("Expected test to have role boss or chief, but got none");
  }
}
