package dev.waymark.core.expression;

import static dev.waymark.core.expression.Sample.EXPRESSIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpressionRootsTest {

  @Test
  void each_root_shows_its_own_data() {
    EvaluationScope scope = EvaluationScope.EMPTY;
    for (Root root : Root.values()) {
      scope = scope.with(root, Map.of("own", root.label()));
    }

    for (Root root : Root.values()) {
      Expression expression = EXPRESSIONS.compile(root.label() + ".own", "/x", Set.of(root));
      assertThat(expression.evaluate(scope)).isEqualTo(root.label());
    }
  }

  @Test
  void a_root_that_is_not_available_is_a_fault_that_names_those_which_are() {
    assertThat(compileFault("Output.outcome == 'approved'", Root.VARIABLES, Root.INPUT).message())
        .isEqualTo("'Output' is not available here, only Variables, Input");
  }

  @Test
  void a_name_that_is_no_root_is_a_fault_with_the_same_help() {
    assertThat(compileFault("vars.x", Root.VARIABLES, Root.INPUT).message())
        .isEqualTo("undeclared reference to 'vars'; there are only Variables, Input");
  }

  @Test
  void a_root_cannot_be_hidden_by_a_loop_variable() {
    assertThat(compileFault("[1].map(Variables, 1)", Root.VARIABLES).message())
        .isEqualTo("Expected another name for the element: 'Variables' is taken");
  }

  @Test
  void the_environment_has_only_listed_names_and_never_shows_values() {
    EvaluationScope scope = EvaluationScope.EMPTY.with(Root.ENV, Map.of("TOKEN", "secret"));

    assertThat(evaluationFault("Env.PASSWORD", scope))
        .contains("Expected key 'PASSWORD' in Env, but its keys are TOKEN")
        .contains("an expression sees only the names that the configuration lists");
    assertThat(evaluationFault("dyn(Env.TOKEN.upperAscii()) + 5", scope))
        .doesNotContainIgnoringCase("secret")
        .contains("Env.TOKEN = (hidden)");
    assertThat(evaluationFault("Env['TOKEN'] * 5", scope)).doesNotContain("secret");
    assertThat(evaluationFault("Env.map(k, Env[k] * 5)", scope)).doesNotContain("secret");
    assertThat(evaluationFault("dyn(Env) < 5", scope)).doesNotContain("secret");
  }

  private static ExpressionFault compileFault(String source, Root... roots) {
    try {
      EXPRESSIONS.compile(source, "/x", Set.of(roots));
    } catch (ExpressionException e) {
      return e.faults().get(0);
    }
    throw new AssertionError("Expected a fault in " + source);
  }

  private static String evaluationFault(String source, EvaluationScope scope) {
    Expression expression = EXPRESSIONS.compile(source, "/x", Sample.ALL);
    ExpressionException[] thrown = new ExpressionException[1];
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> expression.evaluate(scope))
        .satisfies(e -> thrown[0] = e);
    return thrown[0].getMessage();
  }
}
