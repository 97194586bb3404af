package dev.waymark.core.step;

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
import dev.waymark.core.time.Cron;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
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
        new Case("COMMENT_CHARS", Limits.COMMENT_CHARS, n -> new Act.Comment("c".repeat(n))),
        new Case("URI_CHARS", Limits.URI_CHARS, n -> new Act.Attach("a", "u".repeat(n), 0)),
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
        new Case("EXPRESSIONS", Limits.EXPRESSIONS, BoundsTest::expressions));
  }

  /**
   * Bounds that no input of the core can be held against: of the engine, of time, or of what one
   * step may do. Those that the engine checks are tried by its own tests.
   */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "DEFINITION_FAULTS",
          "BRANCHES",
          "DIAGRAM_BENDS",
          "MAX_VISITS",
          "ACTIVITIES_PER_STEP",
          "LIVE_ACTIVITIES",
          "BOOKMARKS_PER_RESULT",
          "ITEMS",
          "PARALLEL_ITEMS",
          "RACE_WAITS",
          "SEATS",
          "SEAT_WEIGHT",
          "LEVELS",
          "RUNGS",
          "REMINDERS",
          "REMARKS",
          "ASSIGN_TRIES",
          "ASSIGN_AGAIN",
          "REACTIONS",
          "CLOCK_SKEW",
          "MESSAGE_FOR_NOBODY",
          "CORRELATION_TRIES",
          "MESSAGE_STARTS",
          "STARTERS",
          "MESSAGE_KEPT",
          "REPORT_KEPT",
          "INTERVENTION_TIME",
          "INBOX_ROUNDS",
          "TASK_CLAIM",
          "LEASE_EXTENSIONS",
          "CLAIMS",
          "CONSUMED_KEPT",
          "EXPIRED_KEPT",
          "ARCHIVE_KEPT",
          "HOUSEKEEPING_BATCH",
          "HOUSEKEEPING_EVERY",
          "TOKEN",
          "CALLBACK_BYTES",
          "MESSAGES_PER_PAGE",
          "CRASHES",
          "SNAPSHOT_EVERY",
          "ACTIVITY_TIMEOUT",
          "CRON_TRANSITIONS",
          "CRON_MONTHS",
          "OCCURRENCES",
          "MISSED_AFTER",
          "TIMER_LATE",
          "OCCURRENCES_PER_LOOK",
          "BACKFILL",
          "SCHEDULED_RUNS",
          "SCHEDULE_TRIES",
          "START_AGAIN",
          "LOOK_AGAIN",
          "CALENDARS",
          "HOLIDAYS",
          "SPANS_PER_DAY",
          "CALENDAR_DAYS",
          "VIOLATIONS",
          "SCHEMA_FAN_OUT",
          "PATTERN_STEPS",
          "CANDIDATES",
          "HEAVY_LOADS",
          "HEAVY_DOCUMENT",
          "HEAVY_PATIENCE",
          "BATCH_BYTES",
          "UNREADABLE_ROWS",
          "UNREADABLE_FIRST",
          "UNREADABLE_WORST",
          "HISTORY_PAGE",
          "ERROR_TEXT",
          "LISTENER_TIME",
          "WORKER_LEASE",
          "SINK_KEPT");

  /** Tried below, since they are no counts. */
  private static final Set<String> BY_THEMSELVES =
      Set.of("ERROR_CHARS", "TRACE_CHARS", "DURATION", "FARTHEST", "SHORTEST_TIMEOUT");

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
    List<String> known = new ArrayList<>(ELSEWHERE);
    known.addAll(BY_THEMSELVES);
    cases().forEach(each -> known.add(each.name()));

    assertThat(known)
        .as("each bound once: add a case to BoundsTest, or its name to ELSEWHERE")
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
    assertThatCode(() -> parse("", ", timeout: " + Limits.SHORTEST_TIMEOUT))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> parse("", ", timeout: PT0.0009S"))
        .isInstanceOf(InvalidDefinition.class);
  }

  private static Command.Wait timer(Instant due) {
    return new Command.Wait(BookmarkKind.TIMER, "t", Map.of(), due);
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
    Command.Emission event = new Command.Emission("e", Map.of());
    var unused = new Command.Effects(Collections.nCopies(count, event), List.of());
  }

  private static void messages(int count) {
    Command.Send message = new Command.Send(ID, "m", Map.of());
    var unused = new Command.Effects(List.of(), Collections.nCopies(count, message));
  }

  private static void document(int chars) {
    // Three texts with two quotes each, two commas and two brackets.
    String third = "x".repeat(chars / 3);
    String rest = "x".repeat(chars - 2 * third.length() - 10);
    List<String> document = List.of(third, third, rest);
    assertThat(Json.read(Json.write(document))).isEqualTo(document);
  }

  private static void pattern(int chars) {
    List<String> faults = new ArrayList<>();
    var unused =
        JsonInputSchema.compile(
            Map.of("pattern", "[" + "a".repeat(chars - 2) + "]"),
            (path, expected, got) -> faults.add("expected " + expected + ", got " + got));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(faults.get(0));
    }
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
}
