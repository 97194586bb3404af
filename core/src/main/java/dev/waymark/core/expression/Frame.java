package dev.waymark.core.expression;

import org.jspecify.annotations.Nullable;

/** What one evaluation of one expression works with: the data, the loop variables, the budget. */
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
