/**
 * Committed events are read lane by lane and given to listeners. Called after commits; calls the
 * application.
 */
@NullMarked
package dev.waymark.engine.internal.outbox;

import org.jspecify.annotations.NullMarked;
