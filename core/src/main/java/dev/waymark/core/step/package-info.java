/**
 * The one way in for every change of state: a command is decided into a step, and one transaction
 * writes exactly one step. Nothing in this package reads a clock, draws a number or does I/O.
 */
@NullMarked
package dev.waymark.core.step;

import org.jspecify.annotations.NullMarked;
