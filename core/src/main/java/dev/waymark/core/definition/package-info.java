/**
 * Definitions: the versioned graph of activities. {@code read} reads one from its {@code text},
 * checked whole before it is deployed.
 */
@NullMarked
package dev.waymark.core.definition;

import org.jspecify.annotations.NullMarked;
