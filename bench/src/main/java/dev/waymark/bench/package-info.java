/** Measurements of the engine, each with the command that repeats it. */
@NullMarked
package dev.waymark.bench;

import org.jspecify.annotations.NullMarked;
