/**
 * Instances, steps and messages as rows of the store, and back. Called by every room that stores or
 * reads; calls none.
 */
@NullMarked
package dev.waymark.engine.internal.row;

import org.jspecify.annotations.NullMarked;
