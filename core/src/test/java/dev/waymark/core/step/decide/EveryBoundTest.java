package dev.waymark.core.step.decide;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * No bound of {@link Limits} goes untested: each has a case in {@link BoundsTest}, or a reason to
 * have none.
 */
class EveryBoundTest {

  /** Bounds that no input of the core can be held against, each with the reason. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("DEFINITION_FAULTS", "cuts a list: MalformedDefinitionsTest"),
          Map.entry("VIOLATIONS", "cuts a list: JsonInputSchemaTest"),
          Map.entry(
              "DIAGRAM_BENDS",
              "no input: of a picture's layout; what needs more is drawn beside the rest"),
          Map.entry(
              "MAX_VISITS",
              "no input: a default, DefinitionParserTest; the input is VISITS_CEILING"),
          Map.entry(
              "ACTIVITIES_PER_STEP",
              "no input: of what one step does; it parks and refuses nothing"),
          Map.entry(
              "LIVE_ACTIVITIES",
              "no input: of what one run has come to; it parks and refuses nothing"),
          Map.entry(
              "CHILD_DEPTH",
              "no input: of what runs have come to; it parks and refuses nothing: ChildrenTest"),
          Map.entry(
              "PATTERN_STEPS",
              "estimated from above: no pattern is at it; MalformedDefinitionsTest"),
          Map.entry("REMARKS", "of what a task has gathered, refused by a step: UserTaskTest"),
          Map.entry("ASSIGN_TRIES", "no input: how often the engine tries"),
          Map.entry("ASSIGN_AGAIN", "no input: a pause"),
          Map.entry("CLOCK_SKEW", "no input: a tolerance; MessageTest, InboxContract"),
          Map.entry("MESSAGE_FOR_NOBODY", "no input: a time of keeping; RemovedMessagesContract"),
          Map.entry("CORRELATION_TRIES", "no input: how often the engine tries"),
          Map.entry("STARTERS", "no input: the length of a look of the engine"),
          Map.entry("MESSAGE_KEPT", "no input: a default"),
          Map.entry("REPORT_KEPT", "no input: a time of keeping; testkit's ReportsTest"),
          Map.entry("INTERVENTION_TIME", "no input: a default; InterventionsTest"),
          Map.entry("INBOX_ROUNDS", "no input: how often the engine reads on; TasksTest"),
          Map.entry("TASK_CLAIM", "no input: a default; TaskClaimsTest"),
          Map.entry("LEASE_EXTENSIONS", "input of the engine: testkit's BoundsTest"),
          Map.entry("CLAIMS", "input of the engine: testkit's BoundsTest"),
          Map.entry("CONSUMED_KEPT", "no input: a default; HousekeepingTest"),
          Map.entry("EXPIRED_KEPT", "no input: a default; HousekeepingTest"),
          Map.entry("ARCHIVE_KEPT", "no input: a default; HousekeepingTest"),
          Map.entry("HOUSEKEEPING_BATCH", "input of the engine: testkit's BoundsTest"),
          Map.entry("HOUSEKEEPING_EVERY", "no input: a default"),
          Map.entry("TOKEN", "input of the engine: testkit's BoundsTest"),
          Map.entry("CALLBACK_BYTES", "input of the engine: testkit's BoundsTest"),
          Map.entry("MESSAGES_PER_PAGE", "input of the engine: testkit's BoundsTest"),
          Map.entry("CRASHES", "no input: what nodes die of; AttemptsTest"),
          Map.entry("SNAPSHOT_EVERY", "no input: a pace of history"),
          Map.entry("ACTIVITY_TIMEOUT", "no input: a default; DefinitionParserTest"),
          Map.entry("CRON_TRANSITIONS", "no input: the length of a search"),
          Map.entry("CRON_MONTHS", "no input: the length of a search"),
          Map.entry("CALENDAR_DAYS", "no input: the length of a search; CalendarTest"),
          Map.entry("MISSED_AFTER", "no input: a tolerance; SchedulePoliciesTest"),
          Map.entry("TIMER_LATE", "no input: a tolerance; OutOfTimeTest"),
          Map.entry("OCCURRENCES_PER_LOOK", "no input: the length of a look; the rest is next"),
          Map.entry("BACKFILL", "input of the engine: testkit's BoundsTest"),
          Map.entry("SCHEDULED_RUNS", "no input: what a schedule remembers; the oldest goes"),
          Map.entry(
              "SCHEDULE_TRIES", "no input: how often the engine tries; ScheduleContentionTest"),
          Map.entry("START_AGAIN", "no input: a pause"),
          Map.entry("LOOK_AGAIN", "no input: a pause; SchedulePoliciesTest"),
          Map.entry("HEAVY_LOADS", "no input: what a node reads at a time"),
          Map.entry("HEAVY_DOCUMENT", "no input: what is read alone; LoadContract"),
          Map.entry("HEAVY_PATIENCE", "no input: a pause"),
          Map.entry("PATCHED_FROM", "no input: a choice of two forms; LargeVariablesTest"),
          Map.entry("PATCHED_UP_TO", "no input: a choice of two forms; LargeVariablesTest"),
          Map.entry("PATCH_CHARS", "no input: a choice of two forms; LargeVariablesTest"),
          Map.entry("PATCHES", "no input: what a load reads; LargeVariablesTest"),
          Map.entry("KNOWN_TIMERS", "no input: what a node remembers; KnownTimersTest"),
          Map.entry("TIMERS_FROM_MEMORY", "no input: a part of a crowd; KnownTimersTest"),
          Map.entry("BATCH_BYTES", "no input: what one statement carries; LoadContract"),
          Map.entry("UNREADABLE_ROWS", "no input: what a node remembers; the oldest goes"),
          Map.entry("UNREADABLE_FIRST", "no input: a pause"),
          Map.entry("UNREADABLE_WORST", "no input: a pause"),
          Map.entry("TIMED_QUESTIONS", "no input: what is more waits; CallerDeadlineTest"),
          Map.entry("HISTORY_PAGE", "input of the engine: testkit's BoundsTest"),
          Map.entry("ERROR_TEXT", "cuts a listener's words, and refuses nothing"),
          Map.entry("LISTENER_TIME", "no input: the patience with a listener; ListenersTest"),
          Map.entry("WORKER_LEASE", "input of the engine: testkit's BoundsTest"),
          Map.entry("PAYLOAD_BYTES", "the end of a setting: SettingsTest of the engine"),
          Map.entry("PAYLOAD_KEPT", "the end of a setting: SettingsTest of the engine"),
          Map.entry("PAYLOAD_PART", "no input: what is read and written at a time; PayloadsTest"),
          Map.entry("PAYLOAD_REFERENCES", "input of the engine: proof's PayloadRefusalsTest"),
          Map.entry("MEDIA_TYPE_CHARS", "input of the engine: proof's PayloadRefusalsTest"),
          Map.entry("PAYLOAD_LOOK", "no input: a pause; PayloadContract"),
          Map.entry("PAYLOADS_PER_LOOK", "no input: the length of a look; the rest is next"),
          Map.entry("PARTS_REMOVED", "no input: the length of a look; the rest is next"),
          Map.entry("SINK_KEPT", "no input: a time of keeping"));

  /** Tried by {@link BoundsTest} one by one, since they are no counts. */
  private static final Set<String> BY_THEMSELVES =
      Set.of(
          "ERROR_CHARS",
          "TRACE_CHARS",
          "REFUSAL_CHARS",
          "DURATION",
          "EARLIEST",
          "FARTHEST",
          "SHORTEST_TIMEOUT");

  @Test
  void every_bound_has_a_case_or_a_reason_to_have_none() {
    Set<String> bounds =
        Arrays.stream(Limits.class.getFields())
            .filter(field -> Modifier.isStatic(field.getModifiers()))
            .map(Field::getName)
            .collect(toSet());
    List<String> known = new ArrayList<>(ELSEWHERE.keySet());
    known.addAll(BY_THEMSELVES);
    BoundsTest.cases().forEach(each -> known.add(each.name()));

    assertThat(known)
        .as("each bound once: add a case to BoundsTest, or its name and the reason to ELSEWHERE")
        .containsExactlyInAnyOrderElementsOf(bounds);
  }
}
