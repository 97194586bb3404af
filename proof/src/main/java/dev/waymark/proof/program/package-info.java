/**
 * Random programs and a second, simple interpreter that says what must come of each.
 *
 * <p>Nothing in this package knows the core or the engine: two readings of the same format can only
 * judge each other as long as they share no code. What runs a program on an engine and compares is
 * in {@code dev.waymark.proof.program.run}.
 */
@NullMarked
package dev.waymark.proof.program;

import org.jspecify.annotations.NullMarked;
