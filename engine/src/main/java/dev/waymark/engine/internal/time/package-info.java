/**
 * Work that is done because it is time: timers, retries, expiry, schedules, retention. Called by
 * the clock and after commits; calls {@code step}, {@code body} and {@code request}.
 */
@NullMarked
package dev.waymark.engine.internal.time;

import org.jspecify.annotations.NullMarked;
