package dev.waymark.core.step.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.explain.Explainer;
import dev.waymark.core.explain.Explanation;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** While an operator holds a run nothing new begins, whatever it is; then it goes on from there. */
final class HoldTest {

  @Test
  void a_fault_that_somebody_reacts_to_is_kept_as_well() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: work, retry: { attempts: 1 }, on: { error: { to: b } } }
              b: { type: work }
            """);
    play.start(Map.of()).step(new Command.Suspend(play.meta(), "audit"));

    play.fail("a", "X");
    assertThat(play.standsAt()).containsExactly("a");

    play.step(new Command.Continue(play.meta(), "seen"));
    assertThat(play.standsAt()).containsExactly("b");
  }

  @Test
  void a_retry_that_was_to_come_begins_when_the_run_goes_on() {
    Play play = Play.of("a", "  a: { type: work, retry: { attempts: 3, backoff: PT1S } }\n");
    play.start(Map.of());
    play.fail("a", "X").step(new Command.Suspend(play.meta(), "audit"));
    assertThat(play.at("a").due()).isNull();

    play.step(new Command.Continue(play.meta(), "seen"));
    assertThat(play.at("a").state()).isEqualTo(State.RUNNING);
  }

  @Test
  void a_timer_that_comes_due_fires_when_the_run_goes_on_and_is_looked_at_once() {
    Play play =
        Play.of(
            "t",
            """
              t: { type: timer, with: { after: PT1H }, next: b }
              b: { type: work }
            """);
    play.start(Map.of()).step(new Command.Suspend(play.meta(), "audit"));
    Instant due = play.bookmark("t").due();

    play.pass(Duration.ofHours(2));
    assertThat(play.standsAt()).containsExactly("t");
    assertThat(
            Explainer.explain(
                    play.definition,
                    play.live(),
                    play.now,
                    Operators.DEFAULT,
                    suggestion -> new Explanation.Move(suggestion, "", ""))
                .reasons())
        .anyMatch(reason -> due.equals(reason.due()));
    long version = play.live().version();
    play.pass(Duration.ofHours(2));
    assertThat(play.live().version()).isEqualTo(version);

    play.step(new Command.Continue(play.meta(), "seen"));
    assertThat(play.bookmark("t").due()).isEqualTo(due);
    play.pass(Duration.ZERO);
    assertThat(play.standsAt()).containsExactly("b");
  }

  @Test
  void a_timer_that_is_moved_while_the_run_is_held_keeps_its_new_moment() {
    Play play = Play.of("t", "  t: { type: timer, with: { after: PT1H } }\n");
    play.start(Map.of()).step(new Command.Suspend(play.meta(), "audit"));
    play.pass(Duration.ofHours(2));
    Instant later = play.now.plusSeconds(60);

    play.step(
        new Command.Edit(
            play.meta(),
            new Correction.RescheduleTimer(play.bookmark("t").id(), later),
            "partner is late"));
    play.step(new Command.Continue(play.meta(), "seen"));

    assertThat(play.bookmark("t").due()).isEqualTo(later);
  }

  @Test
  void an_answer_that_may_expire_does_not_while_nobody_may_give_it() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: wait, with: { key: k, expires: PT1H }, next: b }
              b: { type: work }
            """);
    play.start(Map.of()).step(new Command.Suspend(play.meta(), "audit"));
    play.now = play.now.plusSeconds(7200);

    play.step(new Command.Fire(play.meta(), play.bookmark("k").id()));
    assertThat(play.standsAt()).containsExactly("a");

    play.step(new Command.Continue(play.meta(), "seen"));
    play.step(new Command.Fire(play.meta(), play.bookmark("k").id()));
    assertThat(play.standsAt()).containsExactly("b");
  }

  @Test
  void what_operators_decide_meanwhile_waits_too() {
    Play play =
        Play.of(
            "f",
            """
              f: { type: fork, with: { branches: [bad, worse, w] } }
              bad: { type: set, with: { x: "${ Variables.key }" }, next: b }
              worse: { type: set, with: { x: "${ Variables.no }" }, next: b }
              w: { type: wait, next: b }
              b: { type: work }
            """);
    play.start(Map.of()).step(new Command.Suspend(play.meta(), "audit"));

    intervene(play, "bad", InterventionAction.MODIFY_VARIABLES, Map.of("key", 1L));
    intervene(play, "worse", InterventionAction.SKIP_ACTIVITY, Map.of());
    play.step(
        new Command.Edit(play.meta(), new Correction.MoveToken(play.at("w").visit(), "b"), "now"));

    assertThat(play.standsAt()).containsExactly("f", "bad", "worse", "b");
    assertThat(play.live().activities().values()).noneMatch(v -> v.state() == State.RUNNING);

    play.step(new Command.Continue(play.meta(), "seen"));
    assertThat(play.standsAt()).containsExactlyInAnyOrder("f", "b", "b", "b");
    assertThat(play.live().activities().values())
        .filteredOn(v -> v.activity().equals("b"))
        .allMatch(v -> v.state() == State.RUNNING);
  }

  private static void intervene(
      Play play, String key, InterventionAction action, Map<String, Object> values) {
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN), play.bookmark(key).id(), action, Map.copyOf(values), "fixed"));
  }

  @Test
  void a_body_whose_node_died_three_times_is_parked_when_the_run_goes_on() {
    Play play = Play.of("a", "  a: { type: work, repeatable: false }\n");
    play.start(Map.of()).step(new Command.Suspend(play.meta(), "audit"));
    var visit = play.at("a");

    play.step(new Attempt.Recover(play.meta(), visit.visit(), visit.attempt(), true));
    assertThat(play.live().bookmarks()).isEmpty();

    play.step(new Command.Continue(play.meta(), "seen"));
    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
    assertThat(play.at("a").fault()).extracting(Fault::code).isEqualTo(Fault.CRASHED);
  }
}
