package dev.waymark.core.expression;

import org.jspecify.annotations.Nullable;

/** The state of one evaluation of one expression: the data, the loop variables, the budget. */
final class Frame {

  final Scope scope;
  final Budget budget;
  final @Nullable Object[] locals;

  Frame(Scope scope, Budget budget, int locals) {
    this.scope = scope;
    this.budget = budget;
    this.locals = new @Nullable Object[locals];
  }
}
