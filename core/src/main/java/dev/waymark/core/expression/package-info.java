/**
 * Expressions in definitions: CEL over JSON values, checked on deploy and bounded in all they do.
 *
 * <p>{@code dev.cel} parses and type-checks; the evaluation is our own, because numbers must mix
 * without losing cents and one budget must cover all expressions of a template (see {@code
 * docs/decisions/0003-expressions.md}). There are no types but those of JSON and times, no
 * reflection and no messages: {@link dev.waymark.core.expression.value.Functions} lists all
 * functions that an expression can call.
 */
@NullMarked
package dev.waymark.core.expression;

import org.jspecify.annotations.NullMarked;
