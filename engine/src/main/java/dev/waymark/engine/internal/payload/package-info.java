/**
 * Payloads: contents go in and out part by part, and references are looked at where data comes in.
 * Called by the rooms that take data in; calls the store.
 */
@NullMarked
package dev.waymark.engine.internal.payload;

import org.jspecify.annotations.NullMarked;
