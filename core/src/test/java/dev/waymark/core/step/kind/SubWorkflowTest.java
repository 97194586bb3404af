package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A parent as it sees its children: what it asks for and what it is told. */
final class SubWorkflowTest {

  private static final String PARENT =
      """
        c:
          type: sub-workflow
          with: { definition: child, input: { n: "${ Variables.n }" } }
          output: { got: "${ Output.m }" }
          on: { error: { match: "Error.code == 'X'", to: failed }, timeout: { after: PT1H, to: late } }
          next: done
        done: { type: work }
        failed: { type: work }
        late: { type: work }
      """;

  private static Message childEnd(Play play, Map<String, Object> payload) {
    Message start = play.sent().get(0);
    return new Message(
        new Message.Key("default", "instance", "x"),
        Play.ID,
        Message.ended(start.addressee()),
        payload,
        "child",
        play.now);
  }

  @Test
  void a_parent_asks_for_its_child_waits_for_it_and_takes_its_result() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));

    Message start = play.sent().get(0);
    assertThat(start.name()).isEqualTo(Message.START);
    assertThat(start.payload()).containsEntry("input", Map.of("n", 4L));
    play.step(
        new Command.Deliver(
            play.meta(), childEnd(play, Map.of("status", "COMPLETED", "output", Map.of("m", 5L)))));

    assertThat(play.live().variables()).containsEntry("got", 5L);
    assertThat(play.standsAt()).containsExactly("done");
  }

  @Test
  void a_childs_failure_is_a_fault_of_the_parents_visit() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));

    play.step(
        new Command.Deliver(
            play.meta(),
            childEnd(
                play,
                Map.of(
                    "status",
                    "FAILED",
                    "error",
                    Map.of("type", "ACTIVITY", "code", "X", "message", "m")))));

    assertThat(play.standsAt()).containsExactly("failed");
  }

  @Test
  void nobody_but_the_child_can_say_that_it_has_ended() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));
    String key = Message.ended(play.sent().get(0).addressee());

    var resume = new Command.Resume(play.meta(), play.bookmark(key).id(), null, Map.of());

    assertThat(((Decision.Rejection) play.decide(resume)).message()).contains("waits for a child");
  }

  @Test
  void a_child_that_nobody_waits_for_any_more_is_cancelled() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));
    Message start = play.sent().get(0);

    play.pass(Duration.ofHours(1));

    assertThat(play.standsAt()).containsExactly("late");
    assertThat(play.sent()).hasSize(1);
    assertThat(play.sent().get(0).name()).isEqualTo(Message.CANCEL);
    assertThat(play.sent().get(0).addressee()).isEqualTo(start.addressee());
  }
}
