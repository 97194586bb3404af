package dev.waymark.core.expression;

import static dev.waymark.core.expression.Sample.ALL;
import static dev.waymark.core.expression.Sample.EXPRESSIONS;
import static dev.waymark.core.expression.Sample.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.expression.value.EvaluationScope;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpressionFaultTest {

  @Test
  void an_evaluation_error_shows_the_place_the_caret_and_the_values() {
    Expression expression =
        EXPRESSIONS.compile(
            "Variables.customer.name * Variables.amount > 5", "/activities/pay/with/fee", ALL);

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> expression.evaluate(SCOPE))
        .withMessage(
            """
            /activities/pay/with/fee:1:25: Expected two numbers around '*', but got "Ann" and 10.10
             | Variables.customer.name * Variables.amount > 5
             | ........................^
               Variables.customer.name = "Ann"
               Variables.amount = 10.10\
            """)
        .withNoCause();
  }

  @Test
  void a_missing_key_is_named_next_to_those_that_are_there() {
    assertThat(Sample.fault("Variables.customer.nam"))
        .isEqualTo("Expected key 'nam' in Variables.customer, but its keys are name, vip");
  }

  @Test
  void long_values_are_cut() {
    EvaluationScope scope = EvaluationScope.of(Map.of("text", "x".repeat(10_000)));
    Expression expression = EXPRESSIONS.compile("Variables.text * 2", "/x", ALL);

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> expression.evaluate(scope))
        .satisfies(e -> assertThat(e.faults().get(0).seen().get("Variables.text")).hasSize(81))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
  }

  @Test
  void a_compile_error_has_path_line_column_and_caret() {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> EXPRESSIONS.compile("Variables.a >\n  1 + 'x'", "/when", ALL))
        .satisfies(
            e -> {
              ExpressionFault fault = e.faults().get(0);
              assertThat(fault.path()).isEqualTo("/when");
              assertThat(fault.line()).isEqualTo(2);
              assertThat(fault.column()).isEqualTo(5);
              assertThat(fault.excerpt()).isEqualTo(" |   1 + 'x'\n | ....^");
              assertThat(fault.message())
                  .isEqualTo("Expected other kinds of values for '+' but got '(int, string)'");
            });
  }

  @Test
  void all_faults_of_an_expression_are_found() {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> EXPRESSIONS.compile("a + b + foo(c)", "/x", ALL))
        .satisfies(e -> assertThat(e.faults()).hasSize(4));
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> EXPRESSIONS.compile("[Output.a, Input.b]", "/x", Set.of()))
        .satisfies(e -> assertThat(e.faults()).hasSize(2));
  }

  @Test
  void an_expression_in_braces_of_a_template_gets_a_hint() {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> EXPRESSIONS.compile("${ Variables.a }", "/x", ALL))
        .withMessageContaining("stands without ${ }");
  }

  @Test
  void a_condition_is_true_or_false_and_nothing_else() {
    assertThat(EXPRESSIONS.compileCondition("Variables.amount > 5", "/when", ALL).holds(SCOPE))
        .isTrue();
    assertThat(EXPRESSIONS.compileCondition("Variables.customer.vip", "/when", ALL).holds(SCOPE))
        .isTrue();
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> EXPRESSIONS.compileCondition("1 + 1", "/when", ALL))
        .withMessageContaining("Expected true or false, but this gives a number");
    Condition text = EXPRESSIONS.compileCondition("Variables.yes", "/when", ALL);
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> text.holds(SCOPE))
        .withMessageContaining("Expected true or false, but got \"yes\"");
  }

  @Test
  void the_same_source_keeps_the_path_of_each_place() {
    assertThat(EXPRESSIONS.compile("1", "/a", ALL).path()).isEqualTo("/a");
    assertThat(EXPRESSIONS.compile("1", "/b", ALL).path()).isEqualTo("/b");
  }
}
