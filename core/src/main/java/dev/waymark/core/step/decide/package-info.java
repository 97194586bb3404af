/**
 * Decisions: one class for each group of commands. {@link dev.waymark.core.step.decide.Decider} is
 * the way in.
 */
@NullMarked
package dev.waymark.core.step.decide;

import org.jspecify.annotations.NullMarked;
