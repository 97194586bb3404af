package dev.waymark.core.expression;

import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Values;
import java.util.List;

/** An expression that is true or false, such as a {@code when}. Anything else is an error. */
public final class Condition {

  private final Expression expression;

  Condition(Expression expression) {
    this.expression = expression;
  }

  public String source() {
    return expression.source();
  }

  public String path() {
    return expression.path();
  }

  /** Remarks for the author of the expression. None of them is a fault. */
  public List<String> remarks() {
    return expression.remarks();
  }

  /**
   * Evaluates the condition.
   *
   * @throws ExpressionException if the expression comes to no value, or to one that is neither
   */
  public boolean holds(EvaluationScope scope) {
    return holds(scope, Budget.full());
  }

  public boolean holds(EvaluationScope scope, Budget budget) {
    return Boolean.TRUE.equals(
        expression.evaluate(scope, budget, (spent, value) -> Values.truth(value)));
  }

  @Override
  public String toString() {
    return source();
  }
}
