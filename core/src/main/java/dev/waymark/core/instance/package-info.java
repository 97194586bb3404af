/**
 * A run while it lives: the instance, its visits to activities, its waits and its history.
 * Everything here is an immutable value; only {@link dev.waymark.core.step.decide.Decider} makes
 * new ones.
 */
@NullMarked
package dev.waymark.core.instance;

import org.jspecify.annotations.NullMarked;
