/**
 * One instance moves: its commands wait in a mailbox, are decided on known state, become rows, and
 * are committed in batches. Called by every room that has a command; calls {@code row} and {@code
 * node}, and tells {@link dev.waymark.engine.internal.step.CommitListener}s.
 */
@NullMarked
package dev.waymark.engine.internal.step;

import org.jspecify.annotations.NullMarked;
