/** Messages from outside, and events for listeners. */
@NullMarked
package dev.waymark.engine.message;

import org.jspecify.annotations.NullMarked;
