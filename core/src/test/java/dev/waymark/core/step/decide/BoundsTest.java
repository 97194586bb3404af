package dev.waymark.core.step.decide;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.InvalidDefinition;
import dev.waymark.core.definition.JsonInputSchema;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.Wait;
import dev.waymark.core.time.Cron;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bound of {@link Limits}: what is at it passes, what is one above it is refused. */
class BoundsTest {

  /** A bound and a use of it that takes how much is used. */
  record Case(String name, int bound, IntConsumer use) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Command.Meta META =
      new Command.Meta("c", Actor.of("a"), Instant.EPOCH, null, null, null);
  private static final InstanceId ID = new InstanceId(new UUID(0, 1));

  static List<Case> cases() {
    return List.of(
        new Case("NAME_BYTES", Limits.NAME_BYTES, n -> Limits.name("a name", "n".repeat(n))),
        new Case("COMMENT_CHARS", Limits.COMMENT_CHARS, n -> new TaskAction.Comment("c".repeat(n))),
        new Case("URI_CHARS", Limits.URI_CHARS, n -> new TaskAction.Attach("a", "u".repeat(n), 0)),
        new Case("PAGE", Limits.PAGE, Limits::page),
        new Case("LABELS", Limits.LABELS, BoundsTest::start),
        new Case("CANDIDATES_IN_ALL", Limits.CANDIDATES_IN_ALL, BoundsTest::candidates),
        new Case("EVENTS_PER_RESULT", Limits.EVENTS_PER_RESULT, BoundsTest::events),
        new Case("MESSAGES_PER_RESULT", Limits.MESSAGES_PER_RESULT, BoundsTest::messages),
        new Case("DOCUMENT_CHARS", Limits.DOCUMENT_CHARS, BoundsTest::document),
        new Case("CRON_CHARS", Limits.CRON_CHARS, n -> Cron.parse("* * * * *" + " ".repeat(n - 9))),
        new Case("PATTERN_CHARS", Limits.PATTERN_CHARS, BoundsTest::pattern),
        new Case("DEFINITION_CHARS", Limits.DEFINITION_CHARS, BoundsTest::longDefinition),
        new Case("DEFINITION_ACTIVITIES", Limits.DEFINITION_ACTIVITIES, BoundsTest::chain),
        new Case("TRANSITIONS", Limits.TRANSITIONS, BoundsTest::transitions),
        new Case("VISITS_CEILING", Limits.VISITS_CEILING, n -> parse("maxVisits: " + n, "")),
        new Case("EXPRESSIONS", Limits.EXPRESSIONS, BoundsTest::expressions),
        new Case("BOOKMARKS_PER_RESULT", Limits.BOOKMARKS_PER_RESULT, BoundsTest::waits),
        new Case("BRANCHES", Limits.BRANCHES, BoundsTest::branches),
        new Case("ITEMS", Limits.ITEMS, BoundsTest::items),
        new Case("PARALLEL_ITEMS", Limits.PARALLEL_ITEMS, BoundsTest::parallel),
        new Case("RACE_WAITS", Limits.RACE_WAITS, BoundsTest::race),
        new Case("SEATS", Limits.SEATS, n -> approval("approvers: [{ group: g, seats: %d }]", n)),
        new Case(
            "SEAT_WEIGHT",
            Limits.SEAT_WEIGHT,
            n -> approval("approvers: [{ user: u, weight: %d }]", n)),
        new Case("LEVELS", Limits.LEVELS, n -> approval("levels: [%s]", n, "{ approvers: [u] }")),
        new Case(
            "RUNGS",
            Limits.RUNGS,
            n -> approval("approvers: [u], escalate: [%s]", n, "{ after: PT1H, to: v }")),
        new Case(
            "REMINDERS",
            Limits.REMINDERS,
            n -> approval("approvers: [u], remind: { after: PT1H, times: %d }", n)),
        new Case("CANDIDATES", Limits.CANDIDATES, BoundsTest::task),
        new Case("REACTIONS", Limits.REACTIONS, BoundsTest::reactions),
        new Case("MESSAGE_STARTS", Limits.MESSAGE_STARTS, BoundsTest::messageStarts),
        new Case("OCCURRENCES", Limits.OCCURRENCES, BoundsTest::occurrences),
        new Case("CALENDARS", Limits.CALENDARS, BoundsTest::calendars),
        new Case("HOLIDAYS", Limits.HOLIDAYS, BoundsTest::holidays),
        new Case("SPANS_PER_DAY", Limits.SPANS_PER_DAY, BoundsTest::spans),
        new Case("SCHEMA_FAN_OUT", Limits.SCHEMA_FAN_OUT, BoundsTest::fanOut));
  }

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
              "PATTERN_STEPS",
              "estimated from above: no pattern is at it; MalformedDefinitionsTest"),
          Map.entry("REMARKS", "of what a task has gathered, refused by a step: UserTaskTest"),
          Map.entry("ASSIGN_TRIES", "no input: how often the engine tries"),
          Map.entry("ASSIGN_AGAIN", "no input: a pause"),
          Map.entry("CLOCK_SKEW", "no input: a tolerance; MessageTest, InboxContract"),
          Map.entry("MESSAGE_FOR_NOBODY", "no input: a time of keeping; InboxContract"),
          Map.entry("CORRELATION_TRIES", "no input: how often the engine tries"),
          Map.entry("STARTERS", "no input: the length of a look of the engine"),
          Map.entry("MESSAGE_KEPT", "no input: a default"),
          Map.entry("REPORT_KEPT", "no input: a time of keeping; testkit's ReportsTest"),
          Map.entry("INTERVENTION_TIME", "no input: a default; OutOfTimeTest"),
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
          Map.entry("BATCH_BYTES", "no input: what one statement carries; LoadContract"),
          Map.entry("UNREADABLE_ROWS", "no input: what a node remembers; the oldest goes"),
          Map.entry("UNREADABLE_FIRST", "no input: a pause"),
          Map.entry("UNREADABLE_WORST", "no input: a pause"),
          Map.entry("TIMED_QUESTIONS", "no input: what is more waits; CallerDeadlineTest"),
          Map.entry("HISTORY_PAGE", "input of the engine: testkit's BoundsTest"),
          Map.entry("ERROR_TEXT", "cuts a listener's words, and refuses nothing"),
          Map.entry("LISTENER_TIME", "no input: the patience with a listener; ListenersTest"),
          Map.entry("WORKER_LEASE", "input of the engine: testkit's BoundsTest"),
          Map.entry("SINK_KEPT", "no input: a time of keeping"));

  /** Tried below, since they are no counts. */
  private static final Set<String> BY_THEMSELVES =
      Set.of(
          "ERROR_CHARS",
          "TRACE_CHARS",
          "REFUSAL_CHARS",
          "DURATION",
          "EARLIEST",
          "FARTHEST",
          "SHORTEST_TIMEOUT");

  @ParameterizedTest
  @MethodSource("cases")
  void what_is_at_a_bound_passes_and_one_more_is_refused(Case each) {
    assertThatCode(() -> each.use().accept(each.bound())).doesNotThrowAnyException();
    assertThatThrownBy(() -> each.use().accept(each.bound() + 1))
        .isInstanceOfAny(IllegalArgumentException.class, InvalidDefinition.class)
        .hasMessageFindingMatch("(?i)expected");
  }

  @Test
  void every_bound_has_a_case_or_a_reason_to_have_none() {
    Set<String> bounds =
        Arrays.stream(Limits.class.getFields())
            .filter(field -> Modifier.isStatic(field.getModifiers()))
            .map(Field::getName)
            .collect(toSet());
    List<String> known = new ArrayList<>(ELSEWHERE.keySet());
    known.addAll(BY_THEMSELVES);
    cases().forEach(each -> known.add(each.name()));

    assertThat(known)
        .as("each bound once: add a case to BoundsTest, or its name and the reason to ELSEWHERE")
        .containsExactlyInAnyOrderElementsOf(bounds);
  }

  @Test
  void a_message_is_cut_at_its_bound() {
    assertThat(Fault.permanent("C", "m".repeat(Limits.ERROR_CHARS)).message())
        .hasSize(Limits.ERROR_CHARS)
        .doesNotEndWith("…");
    assertThat(Fault.permanent("C", "m".repeat(Limits.ERROR_CHARS + 1)).message())
        .hasSize(Limits.ERROR_CHARS)
        .endsWith("…");
  }

  @Test
  void a_refusal_is_cut_at_its_bound() {
    assertThat(refusal("m".repeat(Limits.REFUSAL_CHARS)))
        .hasSize(Limits.REFUSAL_CHARS)
        .endsWith("m");
    assertThat(refusal("m".repeat(Limits.REFUSAL_CHARS + 1)))
        .hasSize(Limits.REFUSAL_CHARS)
        .endsWith("…");
  }

  private static String refusal(String message) {
    return Decision.Rejection.of(Decision.Rejection.Code.NOT_FOUND, message).message();
  }

  @Test
  void a_trace_is_cut_at_its_bound() {
    assertThat(trace("t".repeat(Limits.TRACE_CHARS))).hasSize(Limits.TRACE_CHARS).endsWith("t");
    assertThat(trace("t".repeat(Limits.TRACE_CHARS + 1))).hasSize(Limits.TRACE_CHARS).endsWith("…");
    assertThat(trace("a\u0000b\ud800c")).isEqualTo("a\uFFFDb\uFFFDc");
  }

  private static @Nullable String trace(String text) {
    return new Fault(Fault.Type.ACTIVITY, "C", "m", true, text).trace();
  }

  @Test
  void times_have_bounds_too() {
    assertThat(Limits.lease(Limits.DURATION)).isEqualTo(Limits.DURATION);
    assertThatThrownBy(() -> Limits.lease(Limits.DURATION.plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(timer(Limits.FARTHEST).due()).isEqualTo(Limits.FARTHEST);
    assertThatThrownBy(() -> timer(Limits.FARTHEST.plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Limits.moment("a moment", Limits.EARLIEST)).isEqualTo(Limits.EARLIEST);
    assertThatThrownBy(() -> Limits.moment("a moment", Limits.EARLIEST.minusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Expected a moment from 0001-01-01T00:00:00Z");
    assertThatCode(() -> parse("", ", timeout: " + Limits.SHORTEST_TIMEOUT))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> parse("", ", timeout: PT0.0009S"))
        .isInstanceOf(InvalidDefinition.class);
  }

  private static Wait timer(Instant due) {
    return new Wait(BookmarkKind.TIMER, "t", Map.of(), due);
  }

  private static void start(int labels) {
    Map<String, String> named =
        IntStream.range(0, labels).boxed().collect(toMap(i -> "l" + i, i -> "v"));
    var unused = new Command.Start(META, ID, Map.of(), null, null, named);
  }

  private static void candidates(int users) {
    Set<String> names = IntStream.range(0, users).mapToObj(i -> "u" + i).collect(toSet());
    var unused = new Candidates(null, names, Set.of(), Set.of());
  }

  private static void events(int count) {
    Emission event = new Emission("e", Map.of());
    var unused = new Effects(Collections.nCopies(count, event), List.of());
  }

  private static void messages(int count) {
    Send message = new Send(ID, "m", Map.of());
    var unused = new Effects(List.of(), Collections.nCopies(count, message));
  }

  private static void document(int chars) {
    // Three texts with two quotes each, two commas and two brackets.
    String third = "x".repeat(chars / 3);
    String rest = "x".repeat(chars - 2 * third.length() - 10);
    List<String> document = List.of(third, third, rest);
    assertThat(Json.read(Json.write(document))).isEqualTo(document);
  }

  private static void pattern(int chars) {
    schema(Map.of("pattern", "[" + "a".repeat(chars - 2) + "]"));
  }

  private static void parse(String header, String more) {
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\n%s\nstart: a\nactivities:\n  a: { type: work%s }\n"
                .formatted(header, more));
  }

  private static void longDefinition(int chars) {
    String text = "waymark: 1\nkey: play\nstart: a\nactivities:\n  a: { type: work }\n#";
    var unused = Play.parse(text + " ".repeat(chars - text.length()));
  }

  private static void chain(int activities) {
    String chain =
        IntStream.range(0, activities - 1)
            .mapToObj(i -> "  a%d: { type: work, next: a%d }\n".formatted(i, i + 1))
            .collect(joining());
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\nstart: a0\nactivities:\n%s  a%d: { type: work }\n"
                .formatted(chain, activities - 1));
  }

  private static void transitions(int count) {
    String next =
        IntStream.range(1, count)
            .mapToObj(i -> "{ when: \"Variables.n == %d\", to: b }, ".formatted(i))
            .collect(joining("", "[", "{ to: b }]"));
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\nstart: a\nactivities:\n  a: { type: work, next: %s }\n"
                    .formatted(next)
                + "  b: { type: work }\n");
  }

  private static void expressions(int count) {
    String with =
        IntStream.range(0, count)
            .mapToObj(i -> "v%d: \"${ 1 }\"".formatted(i))
            .collect(joining(", ", ", with: { ", " }"));
    parse("", with);
  }

  private static String times(int count, String item) {
    return String.join(", ", Collections.nCopies(count, item));
  }

  private static void waits(int count) {
    var unused =
        new Attempt.Await(
            META,
            1,
            1,
            Collections.nCopies(count, timer(Instant.EPOCH)),
            Map.of(),
            Effects.NONE,
            Duration.ZERO);
  }

  private static void activities(String header, String activities) {
    var unused =
        Play.parse(
            "waymark: 1\nkey: play\n%sstart: a\nactivities:\n%s".formatted(header, activities));
  }

  private static void branches(int count) {
    activities(
        "",
        """
          a: { type: fork, with: { branches: [b, c] } }
          b: { type: work, next: j }
          c: { type: work, next: j }
          j: { type: join, with: { wait: %d } }
        """
            .formatted(count));
  }

  private static void items(int count) {
    activities(
        "",
        """
          a:
            type: for-each
            with: { items: [%s] }
            start: b
            activities: { b: { type: work } }
        """
            .formatted("1,".repeat(count - 1) + "1"));
  }

  private static void parallel(int count) {
    activities(
        "",
        """
          a:
            type: for-each
            with: { items: [1], parallel: %d }
            start: b
            activities: { b: { type: work } }
        """
            .formatted(count));
  }

  private static void race(int count) {
    String waits =
        IntStream.range(0, count)
            .mapToObj(i -> "w%d: { key: k }".formatted(i))
            .collect(joining(", "));
    activities("", "  a: { type: race, with: { waits: { %s } } }\n".formatted(waits));
  }

  private static void approval(String with, int count) {
    activities("", "  a: { type: approval, with: { %s } }\n".formatted(with.formatted(count)));
  }

  private static void approval(String with, int count, String item) {
    activities(
        "",
        "  a: { type: approval, with: { %s } }\n".formatted(with.formatted(times(count, item))));
  }

  private static void task(int count) {
    String names = IntStream.range(0, count).mapToObj(i -> "u" + i).collect(joining(", "));
    activities("", "  a: { type: user-task, with: { candidates: [%s] } }\n".formatted(names));
  }

  private static void reactions(int count) {
    String list =
        IntStream.range(0, count)
            .mapToObj(i -> "{ name: m%d, to: b }".formatted(i))
            .collect(joining(", "));
    activities(
        "", "  a: { type: wait, on: { message: [%s] } }\n  b: { type: work }\n".formatted(list));
  }

  private static void messageStarts(int count) {
    String names = IntStream.range(0, count).mapToObj(i -> "m" + i).collect(joining(", "));
    activities("startOn: [%s]\n".formatted(names), "  a: { type: work }\n");
  }

  private static void occurrences(int count) {
    activities(
        "",
        "  a: { type: timer, with: { cron: '0 9 * * *', occurrences: %d } }\n".formatted(count));
  }

  private static void calendars(int count) {
    String all =
        IntStream.range(0, count)
            .mapToObj(i -> "c%d: { zone: UTC, hours: { monday: [09:00-17:00] } }".formatted(i))
            .collect(joining(", "));
    activities("calendars: { %s }\n".formatted(all), "  a: { type: work }\n");
  }

  private static void holidays(int count) {
    String days =
        IntStream.range(0, count)
            .mapToObj(i -> LocalDate.EPOCH.plusDays(i).toString())
            .collect(joining(", "));
    activities(
        "calendars: { c: { zone: UTC, hours: { monday: [09:00-17:00] }, holidays: [%s] } }\n"
            .formatted(days),
        "  a: { type: work }\n");
  }

  private static void spans(int count) {
    String hours =
        IntStream.range(0, count)
            .mapToObj(i -> "%02d:00-%02d:30".formatted(i, i))
            .collect(joining(", "));
    activities(
        "calendars: { c: { zone: UTC, hours: { monday: [%s] } } }\n".formatted(hours),
        "  a: { type: work }\n");
  }

  private static void fanOut(int schemas) {
    // The outermost one judges the value, too.
    schema(Map.of("allOf", Collections.nCopies(schemas - 1, Map.of("type", "string"))));
  }

  private static void schema(Map<String, Object> schema) {
    List<String> faults = new ArrayList<>();
    var unused =
        JsonInputSchema.compile(
            schema, (path, expected, got) -> faults.add("expected " + expected + ", got " + got));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(faults.get(0));
    }
  }
}
