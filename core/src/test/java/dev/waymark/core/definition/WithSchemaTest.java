package dev.waymark.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waymark.core.Json;
import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.definition.text.DefinitionText;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.expression.Expressions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a type's schema finds on deploy. The type under test is called {@code t}. */
final class WithSchemaTest {

  private static final String ADDRESS =
      """
      { "type": "object",
        "required": ["amount"],
        "additionalProperties": false,
        "properties": {
          "amount": { "type": "number", "minimum": 1 },
          "to": { "$ref": "#/$defs/address" },
          "lines": { "type": "array", "maxItems": 2, "items": { "type": "integer" } },
          "mode": { "enum": ["fast", "slow"] },
          "either": { "anyOf": [{ "type": "integer" }, { "type": "boolean" }] },
          "point": { "oneOf": [
            { "type": "object", "required": ["x"], "properties": { "x": { "type": "integer" } } },
            { "type": "integer" } ] },
          "one": { "title": "exactly one of a and b",
            "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] },
          "no": { "not": { "const": 5 } },
          "fixed": { "type": "array", "x-constant": true },
          "set": { "type": "array", "uniqueItems": true } },
        "allOf": [{ "properties": { "amount": { "maximum": 10 } } }],
        "$defs": {
          "address": { "type": "object", "required": ["zip"],
            "properties": { "zip": { "type": "string", "pattern": "^[0-9]+$" } } } } }
      """;

  @Test
  void a_with_that_fits_is_taken() {
    assertThat(faults("{ amount: 1.5, to: { zip: '123' }, lines: [1, 2], mode: fast, either: 1 }"))
        .isEmpty();
    assertThat(faults("{ amount: 1, point: { x: 1 }, one: { a: 1 }, no: 6, fixed: [] }")).isEmpty();
  }

  @Test
  void what_does_not_fit_is_told_with_its_path_what_was_expected_and_what_came() {
    assertThat(faults("{ amount: 0 }"))
        .containsExactly("/activities/a/with/amount: expected at least 1, but got 0");
    assertThat(faults("{ amount: 11 }"))
        .containsExactly("/activities/a/with/amount: expected at most 10, but got 11");
    assertThat(faults("{}"))
        .containsExactly("/activities/a/with/amount: expected a number, but got nothing");
    assertThat(faults("{ amount: 1, mod: fast }"))
        .containsExactly(
            "/activities/a/with/mod: expected one of [amount, to, lines, mode, either, point, one,"
                + " no, fixed, set], but got 'mod' (did you mean 'mode'?)");
    assertThat(faults("{ amount: 1, mode: quick, lines: [1, two, 3], to: { zip: a } }"))
        .containsExactly(
            "/activities/a/with/mode: expected one of [\"fast\", \"slow\"], but got 'quick'",
            "/activities/a/with/lines: expected at most 2 items, but got a list of 3",
            "/activities/a/with/lines/1: expected an integer, but got 'two'",
            "/activities/a/with/to/zip: expected a value that must match ^[0-9]+$, but got 'a'");
  }

  @Test
  void a_choice_is_one_fault_at_the_value_that_had_it() {
    assertThat(faults("{ amount: 1, either: text }"))
        .containsExactly(
            "/activities/a/with/either: expected a value of one of the forms that are allowed here,"
                + " but got 'text'");
    assertThat(faults("{ amount: 1, point: { x: text } }"))
        .containsExactly(
            "/activities/a/with/point: expected a value of one of the forms that are allowed here,"
                + " but got an object with [x]");
    assertThat(faults("{ amount: 1, one: { a: 1, b: 2 } }"))
        .containsExactly(
            "/activities/a/with/one: expected exactly one of a and b, but got an object with [a,"
                + " b]");
  }

  @Test
  void nothing_is_said_about_a_value_that_is_not_known_yet() {
    assertThat(
            faults(
                """
                { amount: "${ 1 }", to: { zip: "${ 'a' }" }, lines: ["${ 1 }", 2], mode: "x${ 1 }",
                  either: "${ 1 }", point: { x: "${ 1 }" }, no: "${ 5 }", set: ["${ 1 }", "${ 1 }"] }
                """))
        .isEmpty();
  }

  @Test
  void everything_else_is_said_although_some_values_are_not_known_yet() {
    assertThat(faults("{ amount: \"${ 1 }\", lines: [\"${ 1 }\", two], mod: 1 }"))
        .hasSize(2)
        .anyMatch(fault -> fault.startsWith("/activities/a/with/lines/1: expected an integer"))
        .anyMatch(fault -> fault.startsWith("/activities/a/with/mod: expected one of"));
    assertThat(faults("{ amount: 1, one: { a: \"${ 1 }\", b: 2 } }"))
        .as("which fields there are is known, whatever their values")
        .hasSize(1);
    assertThat(faults("{ amount: 1, fixed: \"${ [] }\" }"))
        .containsExactly("/activities/a/with/fixed: expected a list, but got '${ [] }'");
  }

  @Test
  void the_types_own_check_need_not_repeat_what_the_schema_says() {
    ActivityType type =
        type(
            Map.of("properties", Map.of("n", Map.of("type", "integer"))),
            (with, faults) -> {
              faults.add("n", "a number that is even", Faults.shown(with.get("n")));
              faults.add("m", "m", "nothing");
            });

    assertThat(faults(type, "{ n: text }"))
        .containsExactlyInAnyOrder(
            "/activities/a/with/n: expected an integer, but got 'text'",
            "/activities/a/with/m: expected m, but got nothing");
    assertThat(faults(type, "{ n: 1 }"))
        .containsExactlyInAnyOrder(
            "/activities/a/with/n: expected a number that is even, but got 1",
            "/activities/a/with/m: expected m, but got nothing");
  }

  @Test
  void a_schema_that_is_none_is_refused() {
    ActivityType type = type(Map.of("properties", Map.of("n", Map.of("type", "intejer"))));

    assertThatThrownBy(() -> WithSchema.of(type))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "Expected a JSON Schema for what 't' is given, but /properties/n/type: expected");
  }

  @Test
  void only_expressions_leave_something_to_be_checked_on_entry() {
    DefinitionParser parser = new DefinitionParser(List.of(documented()), new Expressions());

    assertThat(parser.parse(text("{ amount: 1 }")).activity("a").schema()).isNull();
    Activity evaluated = parser.parse(text("{ amount: \"${ Variables.n }\" }")).activity("a");

    assertThat(WithSchema.violation(evaluated, Json.objectOf(Map.of("amount", 2)))).isNull();
    assertThat(WithSchema.violation(evaluated, Json.objectOf(Map.of("amount", "two", "x", 1))))
        .isEqualTo(
            "Expected a number at /amount in the input of 'a' (t), but got 'two'; "
                + "Expected one of [amount, to, lines, mode, either, point, one, no, fixed, set]"
                + " at /x in the input of 'a' (t), but got 'x'");
  }

  private static List<String> faults(String with) {
    return faults(documented(), with);
  }

  private static List<String> faults(ActivityType type, String with) {
    DefinitionParser parser = new DefinitionParser(List.of(type), new Expressions());
    InvalidDefinition refusal =
        catchThrowableOfType(InvalidDefinition.class, () -> parser.parse(text(with)));
    return refusal == null
        ? List.of()
        : refusal.faults().stream()
            .map(f -> "%s: expected %s, but got %s".formatted(f.path(), f.expected(), f.got()))
            .toList();
  }

  private static String text(String with) {
    return "waymark: 1\nkey: k\nstart: a\nactivities:\n  a:\n    type: t\n    with: "
        + with.replace("\n", " ")
        + "\n";
  }

  private static ActivityType documented() {
    return type(Json.objectOf(DefinitionText.read(ADDRESS)));
  }

  private static ActivityType type(Map<String, @Nullable Object> schema) {
    return type(schema, (with, faults) -> {});
  }

  private interface Check {
    void run(Map<String, @Nullable Object> with, Faults faults);
  }

  private static ActivityType type(Map<String, @Nullable Object> schema, Check check) {
    return new ActivityType() {
      @Override
      public String name() {
        return "t";
      }

      @Override
      public Map<String, @Nullable Object> schema() {
        return schema;
      }

      @Override
      public void check(Map<String, @Nullable Object> with, Faults faults) {
        check.run(with, faults);
      }
    };
  }
}
