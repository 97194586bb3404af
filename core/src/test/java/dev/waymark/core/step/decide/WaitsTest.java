package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of waits: answers, and timers that come due. */
final class WaitsTest {

  @Test
  void a_time_that_nothing_can_store_parks_the_timer() {
    Play play = Play.of("t", "  t: { type: timer, with: { until: '${ Variables.until }' } }\n");

    play.start(Map.of("until", "+1000000000-12-31T23:59:59Z"));

    assertThat(play.at("t").fault().code()).isEqualTo("BAD_INPUT");
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
}
