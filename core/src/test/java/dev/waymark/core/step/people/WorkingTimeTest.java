package dev.waymark.core.step.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Due dates of people's work, counted in the hours in which people work. */
final class WorkingTimeTest {

  /** Clocks go forward on Sunday, 29 March 2026, at 2:00: the night shift loses an hour. */
  private static final String CALENDARS =
      """
      waymark: 1
      key: play
      calendars:
        office:
          zone: Europe/Berlin
          hours:
            monday: [09:00-17:00]
            tuesday: [09:00-17:00]
            wednesday: [09:00-17:00]
            thursday: [09:00-17:00]
            friday: [09:00-17:00]
          holidays: [2026-01-13]
        night:
          zone: Europe/Berlin
          hours: { sunday: [00:00-06:00] }
      start: do
      activities:
      """;

  private static final String FRIDAY_NOON = "2026-03-27T12:00:00Z";

  private static Play task(String with) {
    return new Play(CALENDARS + "  do: { type: user-task, with: " + with + " }\n");
  }

  private static Play approval(String with) {
    return new Play(CALENDARS + "  do: { type: approval, with: " + with + " }\n");
  }

  private static Play at(String moment, Play play) {
    play.now = Instant.parse(moment);
    return play;
  }

  private static String working(String time) {
    return "{ working: " + time + ", calendar: office }";
  }

  @Test
  void a_holiday_and_the_nights_do_not_count() {
    Play play =
        task("{ assignee: anna, due: %s, followUp: %s }"
                .formatted(working("PT16H"), working("PT7H")))
            .start(Map.of());
    Bookmark task = play.work();

    // Monday 10:00 to 17:00, no Tuesday, all of Wednesday, Thursday 9:00 to 10:00.
    assertThat(task.due()).isEqualTo("2026-01-15T09:00:00Z");
    assertThat(task.terms().followUp()).isEqualTo("2026-01-12T16:00:00Z");
  }

  @Test
  void working_hours_stay_where_the_clock_on_the_wall_is_when_it_changes() {
    Play play = at(FRIDAY_NOON, task("{ assignee: anna, due: %s }".formatted(working("PT8H"))));

    // Friday 13:00 to 17:00, Monday 9:00 to 13:00, which is an hour earlier by now.
    assertThat(play.start(Map.of()).work().due()).isEqualTo("2026-03-30T11:00:00Z");
  }

  @Test
  void an_hour_that_clocks_leave_out_is_not_worked() {
    String due = "{ approvers: anna, due: { working: PT5H, calendar: night } }";

    assertThat(at(FRIDAY_NOON, approval(due)).start(Map.of()).work().due())
        .isEqualTo("2026-03-29T04:00:00Z");
    assertThat(at("2026-03-20T12:00:00Z", approval(due)).start(Map.of()).work().due())
        .isEqualTo("2026-03-22T04:00:00Z");
  }

  @Test
  void it_is_escalated_after_working_time_rung_by_rung() {
    for (Play play :
        new Play[] {
          task(
              "{ assignee: anna, escalate: [{ after: %s, to: bert }, { after: %s, to: cleo }] }"
                  .formatted(working("PT8H"), working("PT16H"))),
          approval(
              "{ approvers: anna, escalate: [{ after: %s, to: bert }, { after: %s, to: cleo }] }"
                  .formatted(working("PT8H"), working("PT16H")))
        }) {
      play.start(Map.of());
      // The first is due on Wednesday at 10:00, since there is no Tuesday.
      play.pass(Duration.ofDays(2).minusMillis(1));
      assertThat(play.work().terms().candidates().names()).containsExactly("user:anna");
      play.pass(Duration.ofMillis(1));
      assertThat(play.work().terms().candidates().names()).contains("user:bert");
      play.pass(Duration.ofDays(1));
      assertThat(play.work().terms().candidates().names()).contains("user:cleo");
    }
  }

  @Test
  void every_level_of_an_approval_has_its_working_time() {
    Play play =
        approval(
                "{ levels: [{ approvers: anna, due: %s }, { approvers: bert, due: %s }] }"
                    .formatted(working("PT1H"), working("PT7H")))
            .start(Map.of());
    assertThat(play.work().due()).isEqualTo("2026-01-12T10:00:00Z");

    play.step(play.answer(Actor.of("anna"), Map.of("outcome", "approved")));

    assertThat(play.work().due()).isEqualTo("2026-01-12T16:00:00Z");
  }

  @Test
  void a_task_ends_by_itself_after_working_time() {
    Play play =
        task("{ assignee: anna, autoComplete: { after: %s, outcome: late } }"
                .formatted(working("PT8H")))
            .start(Map.of());

    play.pass(Duration.ofDays(2).minusMillis(1));
    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
    play.pass(Duration.ofMillis(1));
    assertThat(play.live().variables()).containsEntry("outcome", "late");
  }

  @Test
  void a_calendar_that_is_not_there_is_refused_on_deploy_wherever_it_is_named() {
    String lab = "{ working: PT8H, calendar: lab }";
    Map<String, ThrowingCallable> places =
        Map.of(
            "due", () -> task("{ assignee: a, due: %s }".formatted(lab)),
            "followUp", () -> task("{ assignee: a, followUp: %s }".formatted(lab)),
            "autoComplete/after",
                () -> task("{ assignee: a, autoComplete: { after: %s } }".formatted(lab)),
            "escalate/1/after",
                () ->
                    task(
                        "{ assignee: a, escalate: [{ after: P1D, to: b }, { after: %s, to: b }] }"
                            .formatted(lab)),
            "levels/0/due",
                () -> approval("{ levels: [{ approvers: a, due: %s }] }".formatted(lab)),
            "levels/0/escalate/0/after",
                () ->
                    approval(
                        "{ levels: [{ approvers: a, escalate: [{ after: %s, to: b }] }] }"
                            .formatted(lab)));

    places.forEach(
        (place, definition) ->
            assertThatExceptionOfType(InvalidDefinition.class)
                .as(place)
                .isThrownBy(definition)
                .withMessageContaining("/activities/do/with/" + place + "/calendar"));
  }

  @Test
  void a_calendar_that_an_expression_names_and_that_is_not_there_is_a_fault_of_the_run() {
    for (Play play :
        new Play[] {
          task("{ assignee: a, due: { working: PT8H, calendar: '${ Variables.where }' } }"),
          task(
              "{ assignee: a, escalate:"
                  + " [{ after: { working: PT8H, calendar: '${ Variables.where }' }, to: b }] }"),
          approval(
              "{ approvers: a, escalate:"
                  + " [{ after: { working: PT8H, calendar: '${ Variables.where }' }, to: b }] }")
        }) {
      play.start(Map.of("where", "lab"));

      assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
      assertThat(play.at("do").fault().code()).isEqualTo(Fault.BAD_INPUT);
      assertThat(play.at("do").fault().message())
          .startsWith("Expected a calendar of the definition")
          .endsWith("but got 'lab'");
    }
  }

  @Test
  void a_run_that_moves_to_a_version_without_its_calendar_is_escalated_by_the_clock() {
    Play play =
        task("{ assignee: anna, escalate: [{ after: P1D, to: bert }, { after: %s, to: cleo }] }"
                .formatted(working("PT36H")))
            .start(Map.of());

    play.migrate(
        Play.second("do", "  do: { type: user-task, with: { assignee: anna } }\n"),
        MigrationPlan.PLAIN);
    play.pass(Duration.ofHours(36));

    assertThat(play.work().terms().candidates().names()).contains("user:bert", "user:cleo");
  }
}
