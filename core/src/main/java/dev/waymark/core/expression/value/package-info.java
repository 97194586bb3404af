/** Values of expressions, and all that operators and functions do with them. */
@NullMarked
package dev.waymark.core.expression.value;

import org.jspecify.annotations.NullMarked;
