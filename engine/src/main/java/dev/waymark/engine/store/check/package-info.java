/** The invariant checker: its rules, and the replay of history that it compares states with. */
@NullMarked
package dev.waymark.engine.store.check;

import org.jspecify.annotations.NullMarked;
