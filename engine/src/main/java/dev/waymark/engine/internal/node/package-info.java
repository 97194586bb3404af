/**
 * This process: its id, its clock, its threads, its calls of the store. Called by every room; calls
 * none.
 */
@NullMarked
package dev.waymark.engine.internal.node;

import org.jspecify.annotations.NullMarked;
