package dev.waymark.core.expression;

import dev.waymark.core.expression.plan.Frame;
import dev.waymark.core.expression.plan.Plan;
import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Trouble;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled expression at its place in a definition. It never changes, may be evaluated by many
 * threads at once and gives the same value for the same data.
 */
public final class Expression {

  /**
   * Post-processing of an expression's value, inside the block that reports errors with their
   * place.
   */
  interface Finish {
    @Nullable Object apply(Budget budget, @Nullable Object value);
  }

  private final Plan plan;
  private final String path;

  Expression(Plan plan, String path) {
    this.plan = plan;
    this.path = path;
  }

  public String source() {
    return plan.source();
  }

  /** The place of the expression in its definition. */
  public String path() {
    return path;
  }

  /** Remarks for the author of the expression. None of them is a fault. */
  public List<String> remarks() {
    return plan.dividesIntegers()
        ? List.of(
            "%s: '/' is exact, so 10 / 4 is 2.5; use div(10, 4) for whole numbers, in: %s"
                .formatted(path, source()))
        : List.of();
  }

  /**
   * The value as JSON (see {@link dev.waymark.core.Json}).
   *
   * @throws ExpressionException if it comes to none, or only beyond its budget
   */
  public @Nullable Object evaluate(EvaluationScope scope) {
    return evaluate(scope, Budget.full());
  }

  /** As {@link #evaluate(EvaluationScope)}, drawing on a budget that other evaluations share. */
  public @Nullable Object evaluate(EvaluationScope scope, Budget budget) {
    return evaluate(scope, budget, Result::of);
  }

  @Nullable Object evaluate(EvaluationScope scope, Budget budget, Finish finish) {
    try {
      Object value = plan.node().evaluate(new Frame(scope, budget, plan.locals()));
      return finish.apply(budget, value);
    } catch (Trouble trouble) {
      throw failure(scope, trouble.position(), trouble.text(plan.readsEnvironment()), null);
    } catch (StackOverflowError e) {
      throw failure(scope, 0, "Expected less nesting, but the stack is full", e);
    } catch (RuntimeException e) {
      // A fault of ours, not of the definition; still it must not take the caller by surprise.
      throw failure(scope, 0, "Expected a value, but: " + e, e);
    }
  }

  private ExpressionException failure(
      EvaluationScope scope, int position, String message, @Nullable Throwable cause) {
    ExpressionFault fault =
        ExpressionFault.at(position, path, plan.source(), message, plan.seenIn(scope));
    return new ExpressionException(List.of(fault), cause);
  }

  @Override
  public String toString() {
    return source();
  }
}
