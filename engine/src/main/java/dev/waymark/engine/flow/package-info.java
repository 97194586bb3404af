/**
 * Definitions written in Java. A {@link dev.waymark.engine.flow.Flow} is the same data as a text in
 * YAML, no more and no less; it is checked, stored and run as that text. Java adds two things:
 * activities of each type have only the verbs that make sense for them, and a lambda can be the
 * body of an activity.
 *
 * <p>Everything here is immutable: each verb gives a new value.
 */
@NullMarked
package dev.waymark.engine.flow;

import org.jspecify.annotations.NullMarked;
