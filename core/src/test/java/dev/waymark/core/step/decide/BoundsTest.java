package dev.waymark.core.step.decide;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.JsonInputSchema;
import dev.waymark.core.definition.text.InvalidDefinition;
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
import dev.waymark.core.step.Send;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.Wait;
import dev.waymark.core.time.Cron;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
        new Case("DEFINITION_CHARS", Limits.DEFINITION_CHARS, SizedDefinitions::longDefinition),
        new Case("DEFINITION_ACTIVITIES", Limits.DEFINITION_ACTIVITIES, SizedDefinitions::chain),
        new Case("TRANSITIONS", Limits.TRANSITIONS, SizedDefinitions::transitions),
        new Case(
            "VISITS_CEILING",
            Limits.VISITS_CEILING,
            n -> SizedDefinitions.parse("maxVisits: " + n, "")),
        new Case("EXPRESSIONS", Limits.EXPRESSIONS, SizedDefinitions::expressions),
        new Case("BOOKMARKS_PER_RESULT", Limits.BOOKMARKS_PER_RESULT, BoundsTest::waits),
        new Case("BRANCHES", Limits.BRANCHES, SizedDefinitions::branches),
        new Case("ITEMS", Limits.ITEMS, SizedDefinitions::items),
        new Case("PARALLEL_ITEMS", Limits.PARALLEL_ITEMS, SizedDefinitions::parallel),
        new Case("RACE_WAITS", Limits.RACE_WAITS, SizedDefinitions::race),
        new Case(
            "SEATS",
            Limits.SEATS,
            n -> SizedDefinitions.approval("approvers: [{ group: g, seats: %d }]", n)),
        new Case(
            "SEAT_WEIGHT",
            Limits.SEAT_WEIGHT,
            n -> SizedDefinitions.approval("approvers: [{ user: u, weight: %d }]", n)),
        new Case(
            "LEVELS",
            Limits.LEVELS,
            n -> SizedDefinitions.approval("levels: [%s]", n, "{ approvers: [u] }")),
        new Case(
            "RUNGS",
            Limits.RUNGS,
            n ->
                SizedDefinitions.approval(
                    "approvers: [u], escalate: [%s]", n, "{ after: PT1H, to: v }")),
        new Case(
            "REMINDERS",
            Limits.REMINDERS,
            n ->
                SizedDefinitions.approval("approvers: [u], remind: { after: PT1H, times: %d }", n)),
        new Case("CANDIDATES", Limits.CANDIDATES, SizedDefinitions::task),
        new Case("REACTIONS", Limits.REACTIONS, SizedDefinitions::reactions),
        new Case("MESSAGE_STARTS", Limits.MESSAGE_STARTS, SizedDefinitions::messageStarts),
        new Case("OCCURRENCES", Limits.OCCURRENCES, SizedDefinitions::occurrences),
        new Case("CALENDARS", Limits.CALENDARS, SizedDefinitions::calendars),
        new Case("HOLIDAYS", Limits.HOLIDAYS, SizedDefinitions::holidays),
        new Case("SPANS_PER_DAY", Limits.SPANS_PER_DAY, SizedDefinitions::spans),
        new Case("SCHEMA_FAN_OUT", Limits.SCHEMA_FAN_OUT, BoundsTest::fanOut));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void what_is_at_a_bound_passes_and_one_more_is_refused(Case each) {
    assertThatCode(() -> each.use().accept(each.bound())).doesNotThrowAnyException();
    assertThatThrownBy(() -> each.use().accept(each.bound() + 1))
        .isInstanceOfAny(IllegalArgumentException.class, InvalidDefinition.class)
        .hasMessageFindingMatch("(?i)expected");
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
    assertThatCode(() -> SizedDefinitions.parse("", ", timeout: " + Limits.SHORTEST_TIMEOUT))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> SizedDefinitions.parse("", ", timeout: PT0.0009S"))
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
