/**
 * Workflows and how they move, as pure decisions.
 *
 * <p>Nothing here reads a clock, draws a number, logs, waits or touches a database: all that a
 * decision needs arrives as an argument, so the same input always yields the same step.
 */
@NullMarked
package dev.waymark.core;

import org.jspecify.annotations.NullMarked;
