package dev.waymark.core.expression.plan;

import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.expression.value.EvaluationScope;
import org.jspecify.annotations.Nullable;

/** The state of one evaluation of one expression: the data, the loop variables, the budget. */
public final class Frame {

  final EvaluationScope scope;
  final Budget budget;
  final @Nullable Object[] locals;

  public Frame(EvaluationScope scope, Budget budget, int locals) {
    this.scope = scope;
    this.budget = budget;
    this.locals = new @Nullable Object[locals];
  }
}
