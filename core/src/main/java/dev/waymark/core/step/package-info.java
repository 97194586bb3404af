/**
 * The one way in for every change of state: a command is decided into a step, and a step is exactly
 * what one transaction writes. Nothing in this package reads a clock, draws a number or does I/O.
 */
@NullMarked
package dev.waymark.core.step;

import org.jspecify.annotations.NullMarked;
