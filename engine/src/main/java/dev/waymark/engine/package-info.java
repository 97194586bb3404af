/**
 * The shell around the core: it loads an instance, asks for a decision, commits it and acts on it.
 */
@NullMarked
package dev.waymark.engine;

import org.jspecify.annotations.NullMarked;
