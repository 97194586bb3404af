/** Tokens move through the graph, and the step that records it is drafted. */
@NullMarked
package dev.waymark.core.step.walk;

import org.jspecify.annotations.NullMarked;
