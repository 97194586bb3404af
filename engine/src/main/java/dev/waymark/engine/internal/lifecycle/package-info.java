/**
 * Begins and ends a node: builds and connects the parts, keeps the lease, declares other nodes dead
 * and takes over their bodies, drains. Called by {@link dev.waymark.engine.EngineBuilder}; calls
 * every other room.
 */
@NullMarked
package dev.waymark.engine.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
