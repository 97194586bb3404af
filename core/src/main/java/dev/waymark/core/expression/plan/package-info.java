/** Parsed expressions, made ready to be evaluated often. */
@NullMarked
package dev.waymark.core.expression.plan;

import org.jspecify.annotations.NullMarked;
