/**
 * Messages of other runs and from outside are stored, matched with the instances that wait for
 * them, and delivered as commands. Called after commits and by applications; calls {@code step}.
 */
@NullMarked
package dev.waymark.engine.internal.message;

import org.jspecify.annotations.NullMarked;
