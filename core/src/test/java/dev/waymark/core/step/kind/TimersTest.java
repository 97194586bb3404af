package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction.RescheduleTimer;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Timers that come again, and watching over what takes too long. */
final class TimersTest {

  /** Ticks every hour and collects what it was told; what is done in between is "work". */
  private static Play hourly(String more) {
    return Play.of(
        "tick",
        """
          tick:
            type: timer
            with: { cron: "0 * * * *", zone: Europe/Berlin%s }
            output: { last: "${ Output }" }
            next: [{ when: "Output.exhausted", to: done }, { to: work }]
          work: { type: work, next: tick }
          done: { type: end }
        """
            .formatted(more));
  }

  private static Map<String, Object> fired(long occurrence, String scheduled) {
    return Map.of("occurrence", occurrence, "scheduled", scheduled, "exhausted", false);
  }

  @Test
  void a_cron_timer_waits_for_the_next_occurrence_each_time_the_run_comes_to_it() {
    Play play = hourly("").start(Map.of());
    assertThat(play.bookmark("tick").due()).isEqualTo("2026-01-12T10:00:00Z");

    play.pass(Duration.ofMinutes(60));
    assertThat(play.live().variables()).containsEntry("last", fired(1, "2026-01-12T10:00:00Z"));

    play.pass(Duration.ofMinutes(5)).complete("work");
    assertThat(play.bookmark("tick").due()).isEqualTo("2026-01-12T11:00:00Z");
    assertThat(play.bookmark("tick").payload())
        .isEqualTo(Map.of("occurrence", 2L, "scheduled", "2026-01-12T11:00:00Z"));
  }

  @Test
  void what_a_timer_is_late_for_is_the_occurrence_and_not_the_moment_it_was_noticed() {
    Play play = hourly("").start(Map.of());

    play.pass(Duration.ofMinutes(60).plusSeconds(59));

    assertThat(play.live().variables()).containsEntry("last", fired(1, "2026-01-12T10:00:00Z"));
  }

  @Test
  void a_cron_timer_whose_occurrences_are_used_up_completes_at_once() {
    Play play = hourly(", occurrences: 2").start(Map.of());

    play.pass(Duration.ofHours(1)).complete("work").pass(Duration.ofHours(1)).complete("work");

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables().get("last").toString())
        .isEqualTo("{occurrence=2, scheduled=null, exhausted=true}");
    assertThat(play.completed()).containsExactly("tick", "work", "tick", "work", "tick", "done");
  }

  /** The work after the occurrence of ten takes until half past one. */
  private static Play busyUntilHalfPastOne(String policy) {
    return hourly(", missed: " + policy)
        .start(Map.of())
        .pass(Duration.ofHours(1))
        .pass(Duration.ofMinutes(210))
        .complete("work");
  }

  @Test
  void occurrences_that_pass_while_the_run_is_busy_are_skipped_under_policy_skip() {
    Play play = busyUntilHalfPastOne("skip");

    assertThat(play.bookmark("tick").due()).isEqualTo("2026-01-12T14:00:00Z");
  }

  @Test
  void occurrences_that_pass_while_the_run_is_busy_happen_once_under_policy_once() {
    Play play = busyUntilHalfPastOne("once").pass(Duration.ZERO);
    assertThat(play.live().variables()).containsEntry("last", fired(2, "2026-01-12T13:00:00Z"));

    play.complete("work");
    assertThat(play.bookmark("tick").due()).isEqualTo("2026-01-12T14:00:00Z");
  }

  @Test
  void occurrences_that_pass_while_the_run_is_busy_happen_one_by_one_under_policy_all() {
    Play play = busyUntilHalfPastOne("all").pass(Duration.ZERO);
    assertThat(play.live().variables()).containsEntry("last", fired(2, "2026-01-12T11:00:00Z"));

    play.complete("work").pass(Duration.ZERO).complete("work").pass(Duration.ZERO);
    assertThat(play.live().variables()).containsEntry("last", fired(4, "2026-01-12T13:00:00Z"));
    play.complete("work");
    assertThat(play.bookmark("tick").due()).isEqualTo("2026-01-12T14:00:00Z");
  }

  @Test
  void an_awaited_occurrence_that_nobody_fired_in_time_is_skipped_without_being_counted() {
    Play play = hourly(", missed: skip").start(Map.of());

    play.pass(Duration.ofMinutes(90));

    assertThat(play.standsAt()).containsExactly("tick");
    assertThat(play.bookmark("tick").due()).isEqualTo("2026-01-12T11:00:00Z");
    assertThat(play.bookmark("tick").payload()).containsEntry("occurrence", 1L);
  }

  @Test
  void each_scope_counts_for_itself_and_forgets_with_its_end() {
    Play play =
        Play.of(
            "each",
            """
              each:
                type: for-each
                with: { items: [a, b], parallel: 1 }
                start: tick
                activities:
                  tick:
                    type: timer
                    with: { cron: "0 * * * *", occurrences: 2 }
                    output: { n: "${ Output.occurrence }" }
                    next: [{ when: "Output.exhausted", to: done }, { to: tick }]
                  done: { type: end }
                variables: { n: 0 }
                collect: "${ Variables.n }"
                output: { counts: "${ Output.results }" }
            """);

    play.start(Map.of());
    for (int hour = 0; hour < 4; hour++) {
      play.pass(Duration.ofHours(1));
    }

    assertThat(play.live().variables()).containsEntry("counts", List.of(2L, 2L));
    assertThat(play.now).isEqualTo(Instant.parse("2026-01-12T13:00:00Z"));
  }

  @Test
  void a_timer_that_is_used_up_and_comes_again_and_again_is_parked_and_does_not_spin() {
    Play play =
        Play.of(
            "tick",
            "  tick: { type: timer, with: { cron: '* * * * *', occurrences: 1 }, next: tick }");

    play.start(Map.of()).pass(Duration.ofMinutes(1));

    ActivityInstance parked = play.at("tick");
    assertThat(parked.state()).isEqualTo(ActivityInstance.State.PARKED);
    assertThat(parked.fault().code()).isEqualTo(Fault.TOO_MANY_VISITS);
  }

  // ---- operators

  private static void reschedule(Play play, String key, Instant due) {
    play.step(
        new Command.Edit(
            play.meta(), new RescheduleTimer(play.bookmark(key).id(), due), "somebody wants it"));
  }

  @Test
  void an_operator_can_have_an_occurrence_earlier_or_later_and_it_stays_that_occurrence() {
    Play play = hourly(", missed: skip").start(Map.of());

    reschedule(play, "tick", play.now);
    play.pass(Duration.ZERO);
    assertThat(play.live().variables()).containsEntry("last", fired(1, "2026-01-12T10:00:00Z"));

    play.complete("work");
    assertThat(play.bookmark("tick").due()).isEqualTo("2026-01-12T11:00:00Z");
    reschedule(play, "tick", Instant.parse("2026-01-12T15:30:00Z"));
    play.pass(Duration.ofHours(7));
    assertThat(play.live().variables()).containsEntry("last", fired(2, "2026-01-12T11:00:00Z"));
  }

  @Test
  void a_timeout_and_a_race_can_be_rescheduled_like_any_timer() {
    Play play =
        Play.of(
            "decide",
            """
              decide:
                type: race
                with: { waits: { late: { after: P3D }, answer: { key: answer } } }
                on: { timeout: { after: P1D, to: remind, interrupt: false } }
              remind: { type: work }
            """);
    play.start(Map.of());

    reschedule(play, "decide", play.now.plus(Duration.ofHours(1)));
    play.pass(Duration.ofHours(1));
    assertThat(play.standsAt()).containsExactlyInAnyOrder("decide", "remind");

    reschedule(play, "late", play.now);
    play.pass(Duration.ZERO);
    assertThat(play.live().variables()).containsEntry("winner", "late");
  }

  @Test
  void only_an_open_timer_can_be_rescheduled() {
    Play play = Play.of("ask", "  ask: { type: wait }").start(Map.of());

    Decision decision =
        play.decide(
            new Command.Edit(
                play.meta(), new RescheduleTimer(play.bookmark("ask").id(), play.now), "now"));

    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Rejection.class,
            refused -> assertThat(refused.message()).startsWith("Expected an open timer"));
  }

  // ---- what cannot be

  private static String refusal(String with) {
    return catchThrowableOfType(
            InvalidDefinition.class, () -> Play.of("t", "  t: { type: timer, with: " + with + " }"))
        .getMessage();
  }

  @Test
  void an_expression_that_is_none_is_refused_on_deploy() {
    assertThat(refusal("{ cron: '61 * * * *' }"))
        .contains("/activities/t/with/cron", "a cron expression such as '0 9 * * 1-5'", "61");
    assertThat(refusal("{ cron: '0 0 31 4 *' }")).contains("that comes true one day");
    assertThat(refusal("{ cron: '0 9 * * *', zone: Europe/Atlantis }"))
        .contains("/activities/t/with/zone", "a time zone such as Europe/Berlin");
    assertThat(refusal("{ cron: '0 9 * * *', missed: never }"))
        .contains("one of [\"skip\", \"once\", \"all\"]");
    assertThat(refusal("{ after: PT1H, occurrences: 3 }")).contains("without 'cron'");
    assertThat(refusal("{ after: { working: PT1H, calendar: office } }"))
        .contains("/activities/t/with/after/calendar", "which has none");
  }

  @Test
  void an_expression_that_turns_out_to_be_none_is_a_fault_of_the_run() {
    Play play =
        Play.of("t", "  t: { type: timer, with: { cron: '${ Variables.when }' } }")
            .start(Map.of("when", "every day"));

    assertThat(play.at("t").fault().code()).isEqualTo(Fault.BAD_INPUT);
    assertThat(play.at("t").fault().message()).contains("'every day'");
  }

  // ---- the watcher

  /**
   * What other engines need an activity for, beside the one that it watches: it is a reaction of
   * that activity, and goes with it.
   */
  @Test
  void a_timeout_that_does_not_interrupt_watches_over_an_activity() {
    Play play =
        Play.of(
            "review",
            """
              review:
                type: wait
                on:
                  timeout:
                    - { after: PT24H, to: escalate, interrupt: false, output: { late: true } }
                    - { after: PT72H, to: giveUp }
                next: done
              escalate: { type: work }
              giveUp: { type: end }
              done: { type: end }
            """);

    play.start(Map.of()).pass(Duration.ofHours(24));
    assertThat(play.standsAt()).containsExactlyInAnyOrder("review", "escalate");
    assertThat(play.live().variables()).containsEntry("late", true);

    play.complete("escalate").resume("review", Map.of());
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.completed()).containsExactly("escalate", "review", "done");
  }
}
