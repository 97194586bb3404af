package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A command of the engine's own that leads nowhere parks the visit that it is about, once. */
final class UndecidableTest {

  private static final Fault TOO_LARGE = Fault.permanent(Fault.NOT_STORABLE, "too large");

  private static Step park(Play play, Command culprit) {
    return play.step(new Command.Park(play.meta(), culprit, TOO_LARGE));
  }

  private static void retry(Play play, String activity) {
    Bookmark intervention =
        play.live().bookmarks().values().stream()
            .filter(b -> b.key().equals(activity) && b.payload().containsKey("actions"))
            .findFirst()
            .orElseThrow();
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            intervention.id(),
            InterventionAction.RETRY_ACTIVITY,
            Map.of(),
            "made room"));
  }

  @Test
  void a_timer_parks_the_visit_that_waits_for_it() {
    Play play =
        Play.of("t", "  t: { type: timer, with: { after: PT1S }, next: b }\n  b: { type: end }\n");
    play.start(Map.of());
    play.now = play.now.plusSeconds(1);
    Command.Fire fire = new Command.Fire(play.meta(), play.bookmark("t").id());

    park(play, fire);

    assertThat(play.at("t").state()).isEqualTo(State.PARKED);
    assertThat(play.at("t").fault()).isEqualTo(TOO_LARGE);
    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(play.decide(new Command.Park(play.meta(), fire, TOO_LARGE)))
        .isInstanceOf(NoChange.class);
    assertThat(play.decide(fire)).isInstanceOf(NoChange.class);

    retry(play, "t");
    play.pass(Duration.ofSeconds(1));
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_reaction_fires_again_when_the_parked_visit_is_tried_again() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: work, on: { timeout: { after: PT1S, to: late } } }
              late: { type: wait }
            """);
    play.start(Map.of());
    Instant due = play.bookmark("a").due();
    play.now = play.now.plusSeconds(1);

    park(play, new Command.Fire(play.meta(), play.bookmark("a").id()));
    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
    assertThat(play.live().bookmarks().values())
        .noneMatch(b -> b.due() != null && b.due().equals(due));

    retry(play, "a");
    assertThat(play.at("a").state()).isEqualTo(State.RUNNING);
    play.pass(Duration.ZERO);
    assertThat(play.standsAt()).containsExactly("late");
  }

  @Test
  void a_message_parks_who_would_have_received_it_and_stays_in_the_inbox() {
    Play play =
        Play.of(
            "w",
            """
              w: { type: wait, with: { for: external-message, key: go }, next: b }
              b: { type: end }
            """);
    play.start(Map.of());
    Message message =
        new Message(
            new Message.Key("default", "test", "1"), Play.ID, "go", Map.of(), "test", play.now);

    Step step = park(play, new Command.Deliver(play.meta(), message));

    assertThat(step.received()).isEmpty();
    assertThat(play.at("w").state()).isEqualTo(State.PARKED);

    retry(play, "w");
    play.message("go", Map.of());
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_parent_that_cannot_take_its_childs_result_waits_for_the_same_child_again() {
    Play play = Play.of("s", "  s: { type: sub-workflow, with: { definition: child } }\n");
    play.start(Map.of());
    String end =
        play.live().bookmarks().values().stream().map(Bookmark::key).findFirst().orElseThrow();
    Message message =
        new Message(
            new Message.Key("default", "instance", "1"), Play.ID, end, Map.of(), "c", play.now);

    park(play, new Command.Deliver(play.meta(), message));
    assertThat(play.at("s").state()).isEqualTo(State.PARKED);

    retry(play, "s");
    assertThat(play.sent()).isEmpty();
    assertThat(play.live().bookmarks().values()).extracting(Bookmark::key).containsExactly(end);
  }

  @Test
  void a_body_that_can_neither_be_taken_nor_taken_over_is_parked() {
    Play play = Play.of("a", "  a: { type: work }\n");
    play.runner = null;
    play.start(Map.of());
    park(play, new Attempt.Take(play.meta(), play.at("a").visit()));
    assertThat(play.at("a").state()).isEqualTo(State.PARKED);

    Play running = Play.of("a", "  a: { type: work }\n");
    running.start(Map.of());
    park(running, new Attempt.Recover(running.meta(), running.at("a").visit(), 1, true));
    assertThat(running.at("a").state()).isEqualTo(State.PARKED);
  }

  @Test
  void a_visit_that_has_moved_on_is_not_parked() {
    Play play = Play.of("w", "  w: { type: wait }\n");
    play.start(Map.of());

    assertThat(
            play.decide(
                new Command.Park(play.meta(), new Attempt.Take(play.meta(), 99), TOO_LARGE)))
        .isInstanceOf(NoChange.class);
  }
}
