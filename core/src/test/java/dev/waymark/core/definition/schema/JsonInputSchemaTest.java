package dev.waymark.core.definition.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonInputSchemaTest {

  @Test
  void a_document_that_fits_has_no_violations() {
    InputSchema schema =
        schema(
            """
            {"type": "object", "required": ["amount"],
             "properties": {"amount": {"type": "number", "minimum": 0},
                            "note": {"type": ["string", "null"]}}}
            """);

    assertThat(check(schema, "{\"amount\": 10.10, \"note\": null, \"other\": [1]}")).isEmpty();
  }

  @Test
  void a_text_full_of_braces_is_judged_as_a_regex_in_time_that_grows_with_its_length() {
    InputSchema schema = schema("{\"properties\": {\"v\": {\"format\": \"regex\"}}}");

    for (String part : List.of("{", "{1", "{1,", "a{", "({", "[{")) {
      String text = part.repeat(Json.MAX_TEXT_CHARS / part.length());
      assertTimeout(
          Duration.ofSeconds(10), () -> assertThat(schema.check(Map.of("v", text))).hasSize(1));
    }
    assertThat(schema.check(Map.of("v", "^a{2,3}(b{c}){4}$"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"type": "number"}              | "x"          | /v: must be a number, but got text 'x'
          {"type": ["string", "null"]}    | 5            | /v: must be a text or null, but got 5
          {"type": "integer"}             | 1.5          | /v: must be an integer, but got 1.5
          {"type": "object"}              | [1, 2]       | /v: must be an object, but got a list of 2
          {"type": "array"}               | {"a": 1}     | /v: must be a list, but got an object of 1
          {"enum": ["a", "b"]}            | "c"          | /v: must be one of ["a", "b"], but got text 'c'
          {"const": 1}                    | 2            | /v: must be 1, but got 2
          {"minimum": 10000}              | 9999         | /v: must be at least 10000, but got 9999
          {"maximum": 0.25}               | 0.2501       | /v: must be at most 0.25, but got 0.2501
          {"exclusiveMinimum": 0}         | 0            | /v: must be more than 0, but got 0
          {"exclusiveMaximum": 5}         | 5            | /v: must be less than 5, but got 5
          {"multipleOf": 0.01}            | 0.005        | /v: must be a multiple of 0.01, but got 0.005
          {"minLength": 2}                | "x"          | /v: must have at least 2 characters, but got text 'x'
          {"maxLength": 1}                | "xy"         | /v: must have at most 1 characters, but got text 'xy'
          {"minItems": 1}                 | []           | /v: must have at least 1 items, but got a list of 0
          {"maxItems": 1}                 | [1, 2]       | /v: must have at most 1 items, but got a list of 2
          {"uniqueItems": true}           | [1, 1]       | /v: must not have the same item twice, but got a list of 2
          {"pattern": "^[A-Z]+$"}         | "abc"        | /v: must match ^[A-Z]+$, but got text 'abc'
          {"format": "date"}              | "2026-02-30" | /v: must be in the format 'date', but got text '2026-02-30'
          {"format": "email"}             | "nobody"     | /v: must be in the format 'email', but got text 'nobody'
          {"items": {"type": "integer"}}  | [1, true]    | /v/1: must be an integer, but got true
          {"required": ["a/b"]}           | {}           | /v/a~1b: must be there, but is missing
          {"additionalProperties": false} | {"x": 1}     | /v/x: must not be there, but is
          """)
  void a_violation_says_where_what_must_be_and_what_came(
      String value, String document, String expected) {
    InputSchema schema = schema("{\"properties\": {\"v\": %s}}".formatted(value));

    assertThat(check(schema, "{\"v\": %s}".formatted(document))).containsExactly(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uri-template", "json-pointer", "hostname", "email", "idn-hostname"})
  void a_text_that_is_too_long_for_its_format_is_at_worst_a_violation(String format) {
    InputSchema schema =
        schema(
            "{\"properties\": {\"v\": {\"type\": \"string\", \"format\": \"%s\"}}}"
                .formatted(format));

    for (String letter : List.of("\u00e9", "a")) {
      assertThat(schema.check(Map.of("v", letter.repeat(200_000))))
          .allSatisfy(
              violation -> {
                assertThat(violation.pointer()).isEqualTo("/v");
                assertThat(violation.message())
                    .startsWith("must be in the format '%s', but got text".formatted(format));
              })
          .hasSizeLessThan(2);
    }
  }

  @Test
  void every_violation_is_told() {
    InputSchema schema =
        schema("{\"required\": [\"a\", \"b\"], \"properties\": {\"c\": {\"type\": \"string\"}}}");

    assertThat(check(schema, "{\"c\": 1}"))
        .containsExactlyInAnyOrder(
            "/a: must be there, but is missing",
            "/b: must be there, but is missing",
            "/c: must be a text, but got 1");
  }

  @Test
  void of_very_many_violations_some_are_told() {
    InputSchema schema = schema("{\"properties\": {\"v\": {\"items\": {\"type\": \"string\"}}}}");
    List<Integer> numbers = IntStream.range(0, 5_000).boxed().toList();

    assertThat(schema.check(Json.objectOf(Map.of("v", numbers)))).hasSize(Limits.VIOLATIONS);
  }

  @Test
  void an_integer_may_be_written_with_decimals() {
    assertThat(check(schema("{\"properties\": {\"v\": {\"type\": \"integer\"}}}"), "{\"v\": 5.0}"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"minimum,>=", "maximum,<=", "exclusiveMinimum,>", "exclusiveMaximum,<"})
  void a_number_of_any_size_is_compared_with_a_threshold(String keyword, String relation) {
    for (String type : List.of("integer", "number")) {
      // A property may have the name of a keyword.
      InputSchema schema =
          schema(
              "{\"properties\": {\"default\": {\"type\": \"%s\", \"%s\": 1}}}"
                  .formatted(type, keyword));
      for (String value :
          List.of(
              "0",
              "1",
              "2",
              "9223372036854775807",
              "9223372036854775808",
              "1e30",
              "-1e40",
              "12345678901234567890.5",
              "-12345678901234567890.5")) {
        BigDecimal number = new BigDecimal(value);
        int order = number.compareTo(BigDecimal.ONE);
        boolean fits =
            (relation.contains("=") && order == 0)
                || (relation.startsWith("<") && order < 0)
                || (relation.startsWith(">") && order > 0);
        boolean isOfType = type.equals("number") || !value.contains(".");

        assertThat(check(schema, "{\"default\": " + value + "}").isEmpty())
            .as("%s, %s %s 1", type, value, relation)
            .isEqualTo(fits && isOfType);
      }
    }
  }

  @Test
  void draft_07_is_understood_if_the_schema_says_so() {
    InputSchema schema =
        schema(
            """
            {"$schema": "http://json-schema.org/draft-07/schema#",
             "definitions": {"positive": {"type": "number", "exclusiveMinimum": 0}},
             "properties": {"list": {"items": [{"$ref": "#/definitions/positive"}]}}}
            """);

    assertThat(check(schema, "{\"list\": [0, -1]}"))
        .containsExactly("/list/0: must be more than 0, but got 0");
  }

  @Test
  void references_lead_into_the_schema_itself() {
    InputSchema schema =
        schema(
            """
            {"$defs": {"name": {"$anchor": "short", "type": "string", "maxLength": 3},
                       "tree": {"properties": {"child": {"$ref": "#/$defs/tree"},
                                               "name": {"$ref": "#short"}}}},
             "properties": {"tree": {"$ref": "#/$defs/tree"}}}
            """);

    assertThat(check(schema, "{\"tree\": {\"child\": {\"child\": {\"name\": \"long\"}}}}"))
        .containsExactly(
            "/tree/child/child/name: must have at most 3 characters, but got text 'long'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"$ref": "http://localhost:1/schema.json"}        | $ref: a reference into this schema
          {"$ref": "file:///etc/passwd"}                    | $ref: a reference into this schema
          {"$ref": "https://json-schema.org/draft/2020-12/schema"} | $ref: a reference into this schema
          {"$ref": "#/nowhere"}                             | $ref: a reference to a schema that is there
          {"$ref": "#"}                                     | : references that come to an end
          {"items": {"$id": "http://x/y"}}                  | items/$id: no $id but at the top
          {"$schema": "http://json-schema.org/draft-04/schema#"} | $schema: draft 2020-12 or draft-07
          {"type": "numbr"}                                 | type: a JSON Schema
          {"pattern": "(a)\\\\1"}                           | pattern: a regular expression (RE2
          {"pattern": "(x{500}){500}"}                      | pattern: a regular expression (RE2
          {"patternProperties": {"(?<!a)b": true}}          | patternProperties/(?<!a)b: a regular
          """)
  void a_schema_that_is_wrong_or_unsafe_is_refused(String document, String expected) {
    List<String> faults = new ArrayList<>();

    JsonInputSchema schema =
        JsonInputSchema.compile(
            Json.readObject(document),
            (path, what, got) -> faults.add(path + ": " + what + ", but got " + got));

    assertThat(schema).isNull();
    assertThat(faults).singleElement().asString().startsWith(expected);
  }

  @Test
  void what_only_looks_like_a_reference_is_data() {
    InputSchema schema =
        schema(
            """
            {"properties": {"$ref": {"type": "string"}, "pattern": {"type": "string"},
                            "v": {"enum": [{"$ref": "http://x"}], "default": {"pattern": "("}}}}
            """);

    assertThat(check(schema, "{\"$ref\": \"http://x\", \"v\": {\"$ref\": \"http://x\"}}"))
        .isEmpty();
  }

  @Test
  void a_pattern_means_what_ecma_says_where_re2_can() {
    InputSchema schema = schema("{\"properties\": {\"v\": {\"pattern\": \"^\\\\u00e4\\\\d$\"}}}");

    assertThat(check(schema, "{\"v\": \"ä7\"}")).isEmpty();
    assertThat(check(schema, "{\"v\": \"ä7\\n\"}")).hasSize(1);
  }

  @Test
  void no_text_keeps_a_pattern_busy() {
    InputSchema schema = schema("{\"properties\": {\"v\": {\"pattern\": \"^(a+)+$\"}}}");
    var document = Json.objectOf(Map.of("v", "a".repeat(100_000) + "!"));

    long time = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    List<InputSchema.Violation> violations = schema.check(document);

    assertThat(violations).hasSize(1);
    long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - time;
    assertThat(Duration.ofNanos(used)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void many_threads_may_check_at_once() {
    InputSchema schema =
        schema(
            "{\"$defs\": {\"n\": {\"minimum\": 1}}, \"properties\": {\"v\": {\"$ref\":"
                + " \"#/$defs/n\"}}}");

    List<Integer> found =
        IntStream.range(0, 2_000)
            .parallel()
            .mapToObj(i -> check(schema, "{\"v\": " + i % 2 + "}").size())
            .toList();

    assertThat(Collections.frequency(found, 1)).isEqualTo(1_000);
  }

  private static InputSchema schema(String document) {
    List<String> faults = new ArrayList<>();
    JsonInputSchema schema =
        JsonInputSchema.compile(
            Json.readObject(document), (path, what, got) -> faults.add(path + what + got));
    assertThat(faults).isEmpty();
    return schema;
  }

  private static List<String> check(InputSchema schema, String document) {
    return schema.check(Json.readObject(document)).stream()
        .map(violation -> violation.pointer() + ": " + violation.message())
        .toList();
  }
}
