/**
 * The work that follows a commit in this process: user code is called, and its end becomes the next
 * command. Called by {@code step} through its port; calls {@code step}.
 */
@NullMarked
package dev.waymark.engine.internal.body;

import org.jspecify.annotations.NullMarked;
