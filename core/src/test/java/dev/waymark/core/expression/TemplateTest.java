package dev.waymark.core.expression;

import static dev.waymark.core.expression.Sample.ALL;
import static dev.waymark.core.expression.Sample.EXPRESSIONS;
import static dev.waymark.core.expression.Sample.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.Json;
import dev.waymark.core.expression.value.EvaluationScope;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "plain"                                       | "plain"
          "${ Variables.amount }"                       | 10.10
          "${Variables.nothing}"                        | null
          "${ Variables.customer }"                     | {"name":"Ann","vip":true}
          "Hello ${ Variables.customer.name }!"         | "Hello Ann!"
          "${Variables.count}/${Variables.amount}"      | "10/10.10"
          "all: ${ Variables.mixed }"                   | "all: [1,2.5,3]"
          " ${ Variables.count }"                       | " 10"
          "$${ Variables.count }"                       | "${ Variables.count }"
          "cost: $5 or ${ '}' + \\"{\\" }"              | "cost: $5 or }{"
          "${ {'a': {'b': 1}}.a.b }"                    | 1
          "${ 'it\\\\'s }' }"                           | "it's }"
          "${ r'\\\\d' + '}' }"                         | "\\\\d}"
          "${ '''a'}''' }"                              | "a'}"
          [1, "${ 1 + 1 }", {"x": ["${ Variables.tier }"]}] | [1,2,{"x":["gold"]}]
          {"${ 1 }": 1.50}                              | {"${ 1 }":1.50}
          ""                                            | ""
          5                                             | 5
          """)
  void texts_are_filled_in_and_the_rest_is_kept(String template, String result) {
    assertThat(Json.write(evaluate(Json.read(template)))).isEqualTo(result);
  }

  @Test
  void every_fault_is_found_with_its_path() {
    Object template =
        Json.read(
            """
            {"url": "https://${ Variables.host }/${ vars.id }", "body": {"a/b": ["ok", "${ 1 + }"]},
             "open": "x ${ Variables.a"}
            """);

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> EXPRESSIONS.compileTemplate(template, "/activities/pay/with", ALL))
        .satisfies(
            e ->
                assertThat(e.faults())
                    .extracting(ExpressionFault::path)
                    .containsExactly(
                        "/activities/pay/with/url",
                        "/activities/pay/with/body/a~1b/1",
                        "/activities/pay/with/open"));
  }

  @Test
  void only_an_object_without_entries_is_empty() {
    assertThat(EXPRESSIONS.compileTemplate(Map.of(), "/with", ALL).isEmpty()).isTrue();
    assertThat(EXPRESSIONS.compileTemplate(Map.of("a", 1), "/with", ALL).isEmpty()).isFalse();
    assertThat(EXPRESSIONS.compileTemplate(null, "/with", ALL).isEmpty()).isFalse();
  }

  @Test
  void null_inside_a_text_is_an_error_with_its_path() {
    Object template = Map.of("url", "/orders/${ Variables.nothing }");

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> evaluate(template))
        .withMessageContaining(
            "/with/url:1:1: Expected a value to put into the text, but got null");
  }

  @Test
  void all_expressions_share_one_budget() {
    EvaluationScope scope =
        EvaluationScope.of(Map.of("list", IntStream.range(0, 1_000).boxed().toList()));
    String loop = "${ Variables.list.all(x, x >= 0) }";

    Template nine = EXPRESSIONS.compileTemplate(Collections.nCopies(9, loop), "/with", ALL);
    Template eleven = EXPRESSIONS.compileTemplate(Collections.nCopies(11, loop), "/with", ALL);

    assertThat(nine.evaluate(scope)).isEqualTo(Collections.nCopies(9, true));
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> eleven.evaluate(scope))
        .withMessageContaining("/with/10:")
        .withMessageContaining("Expected at most 10,000 iterations");
  }

  @Test
  void all_results_together_are_bounded() {
    EvaluationScope scope = EvaluationScope.of(Map.of("text", "x".repeat(100_000)));

    for (String text : List.of("${ Variables.text }", "- ${ Variables.text }")) {
      Template template = EXPRESSIONS.compileTemplate(List.of(text, text, text), "/with", ALL);
      assertThatExceptionOfType(ExpressionException.class)
          .isThrownBy(() -> template.evaluate(scope))
          .withMessageContaining("Expected a result of at most 262,144 characters");
    }
  }

  @Test
  void a_result_that_lies_too_deep_is_told_as_the_template_s_fault() {
    Object deep = Json.read("[".repeat(62) + "]".repeat(62));
    Object template = Json.read("[".repeat(10) + "\"${ Variables.deep }\"" + "]".repeat(10));

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(
            () ->
                EXPRESSIONS
                    .compileTemplate(template, "/with", ALL)
                    .evaluate(EvaluationScope.of(Map.of("deep", List.of(deep)))))
        .withMessageContaining("/with:1:1: " + "/0".repeat(10) + ": Expected at most 72 levels");
  }

  private static Object evaluate(Object template) {
    return EXPRESSIONS.compileTemplate(template, "/with", ALL).evaluate(SCOPE);
  }
}
