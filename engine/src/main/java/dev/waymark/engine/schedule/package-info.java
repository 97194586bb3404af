/** Definitions that are started again and again. */
@NullMarked
package dev.waymark.engine.schedule;

import org.jspecify.annotations.NullMarked;
