package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.WithSchema;
import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.Play;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the built-in kinds say about their input, on deploy and on entry. */
final class InputTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "end       | { x: 1 }                     | x          | no such field",
        "terminate | { status: done }             | status     | one of [\"completed\","
            + " \"failed\", \"cancelled\"]",
        "raise     | {}                           | code       | a code that programs can"
            + " recognise",
        "fork      | {}                           | branches   | a list of 1 to 1,000 activities",
        "fork      | { branches: [] }             | branches   | a list of 1 to 1,000 activities",
        "fork      | { branches: '${ [] }' }      | branches   | a list of 1 to 1,000 activities",
        "fork      | { branches: [1] }            | branches/0 | the id of an activity",
        "join      | { wait: some }               | wait       | 'all', 'any' or a number of"
            + " branches from 1",
        "join      | { wait: 0 }                  | wait       | 'all', 'any' or a number of"
            + " branches from 1",
        "join      | { rest: stop }               | rest       | one of [\"continue\", \"cancel\"]",
        "timer     | {}                           |            | exactly one of 'after', 'until',"
            + " 'cron'",
        "timer     | { after: PT1S, until: '${Variables.x}' } |    | exactly one of 'after',"
            + " 'until', 'cron'",
        "timer     | { after: soon }              | after      | a duration such as PT30M, 0 to"
            + " 36,500 days, or { working: PT8H, calendar: … }",
        "timer     | { after: PT-1S }             | after      | a duration such as PT30M, 0 to"
            + " 36,500 days, or { working: PT8H, calendar: … }",
        "timer     | { until: tomorrow }          | until      | an instant such as"
            + " 2026-01-31T12:00:00Z",
        "wait      | { for: godot }               | for        | one of [\"user-action\","
            + " \"external-message\", \"approval\", \"signal\", \"webhook\"]",
        "wait      | { payload: text }            | payload    | an object or null",
        "race      | {}                           | waits      | an object with 1 to 100 waits by"
            + " name",
        "race      | { waits: {} }                | waits      | an object with 1 to 100 waits by"
            + " name",
        "race      | { waits: '${ Variables.x }' } | waits     | an object with 1 to 100 waits by"
            + " name",
        "race      | { waits: { w: 1 } }          | waits/w    | an object",
        "race      | { waits: { w: { after: x } } } | waits/w/after | a duration such as PT30M, 0"
            + " to 36,500 days, or { working: PT8H, calendar: … }",
        "race      | { waits: { w: { after: PT1S, key: '${Variables.x}' } } } | waits/w | only"
            + " fields of [after] or [until] or [for, key, payload, correlate, expires]",
        "race      | { waits: { w: { when: maybe } } } | waits/w/when | true or false",
        "race      | { waits: { w: { too: x } } } | waits/w/too | one of [for, key, payload,"
            + " correlate, expires, after, until, when, to]",
        "scope     | { x: 1 }                     | x          | no such field",
        "for-each  | {}                           | items      | a list of items",
        "for-each  | { items: 5 }                 | items      | a list of items",
        "for-each  | { items: [], parallel: 0 }   | parallel   | an integer from 1 to 1,000",
        "sub-workflow | {}                        | definition | the key of a definition",
        "sub-workflow | { definition: d, version: 0 } | version | an integer from 1 to"
            + " 2,147,483,647",
        "sub-workflow | { definition: d, wait: 5 } | wait      | true or false",
        "sub-workflow | { definition: d, whenChildFails: stop } | whenChildFails | one of"
            + " [\"fault\", \"continue\"]",
        "signal    | { name: ' ' }                | name       | the signal's name",
        "send      | { name: n }                  | to         | the id of an instance",
        "emit      | { data: {} }                 | type       | the event's type",
        "emit      | { type: t, data: 1 }         | data       | an object or null",
        "compensate | { activity: 1 }             | activity   | a text that is not blank",
        "split     | { x: 1 }                     | x          | no such field",
      })
  void a_built_in_kind_tells_one_fault_for_one_mistake(
      String type, String with, String path, String expected) {
    String inside =
        type.equals("scope") || type.equals("for-each")
            ? ", start: b, activities: { b: { type: end } }"
            : "";

    InvalidDefinition refusal =
        catchThrowableOfType(
            InvalidDefinition.class,
            () -> Play.of("a", "  a: { type: %s, with: %s%s }\n".formatted(type, with, inside)));

    List<String> told =
        refusal.faults().stream()
            .filter(fault -> fault.path().startsWith("/activities/a/with"))
            .map(fault -> fault.path() + ": " + fault.expected())
            .toList();
    assertThat(told)
        .containsExactly(
            "/activities/a/with%s: %s".formatted(path == null ? "" : "/" + path, expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "type: timer, with: { after: % }",
        "type: wait, with: { expires: % }",
        "type: race, with: { waits: { one: { after: % }, two: { for: signal } } }",
        "type: race, with: { waits: { one: { for: signal, expires: % }, two: { after: PT1H } } }",
        "type: user-task, with: { candidates: ann, due: % }",
        "type: user-task, with: { candidates: ann, escalate: [{ after: %, to: bob }] }",
        "type: user-task, with: { candidates: ann, remind: { every: %, times: 1 } }",
        "type: wait, on: { timeout: { after: %, to: a } }",
      })
  void a_time_that_stands_in_the_text_is_held_to_its_bound_on_deploy(String activity) {
    String written = "  a: { " + activity + " }\n";

    assertThatCode(() -> Play.of("a", written.replace("%", Limits.DURATION.toString())))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> Play.of("a", written.replace("%", Limits.DURATION.plusNanos(1).toString())))
        .isInstanceOf(InvalidDefinition.class)
        .hasMessageContaining("a duration such as");
  }

  @Test
  void every_built_in_kind_declares_its_schema() {
    Kinds.builtIn().forEach(WithSchema::of);
    assertThat(Kinds.builtIn().stream().filter(kind -> kind.schema().isEmpty()))
        .extracting(ActivityType::name)
        .as("kinds that take anything")
        .containsExactly("set");
  }

  @Test
  void an_evaluated_value_that_does_not_fit_is_a_fault_with_its_pointer() {
    Play play = Play.of("a", "  a: { type: timer, with: { after: '${ Variables.patience }' } }\n");

    play.start(Map.of("patience", 5));

    assertThat(play.at("a").state()).isEqualTo(State.PARKED);
    assertThat(play.at("a").fault())
        .isEqualTo(
            Fault.permanent(
                Fault.BAD_INPUT,
                "Expected a duration such as PT30M, 0 to 36,500 days, or { working: PT8H,"
                    + " calendar: … } at /after in the input of 'a' (timer), but got 5"));
  }

  @Test
  void such_a_fault_can_be_reacted_to_like_any_other() {
    Play play =
        Play.of(
            "a",
            """
              a:
                type: emit
                with: { type: t, data: "${ Variables.data }" }
                on: { error: { match: "Error.code == 'BAD_INPUT'", to: b } }
              b: { type: wait }
            """);

    play.start(Map.of("data", "text"));

    assertThat(play.at("b").state()).isEqualTo(State.WAITING);
  }

  @Test
  void a_value_that_comes_to_null_counts_as_not_given() {
    Map<String, Object> nothing = new HashMap<>();
    nothing.put("nothing", null);
    nothing.put("id", 42);

    Play wait =
        Play.of("a", "  a: { type: wait, with: { key: '${ Variables.nothing }' } }\n")
            .start(nothing);
    Play race =
        Play.of(
                "a",
                """
                  a:
                    type: race
                    with:
                      waits:
                        late: { after: "${ Variables.nothing }", when: "${ Variables.nothing != null }" }
                        answer: { key: "${ Variables.id }" }
                """)
            .start(nothing);

    assertThat(wait.bookmark("a")).isNotNull();
    assertThat(race.bookmark("42")).as("a number is a fine key").isNotNull();
    assertThat(Arrays.asList(wait.at("a").state(), race.at("a").state()))
        .containsOnly(State.WAITING);
  }
}
