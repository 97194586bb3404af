/** The kinds of activities, one class each. */
@NullMarked
package dev.waymark.core.step.kind;

import org.jspecify.annotations.NullMarked;
