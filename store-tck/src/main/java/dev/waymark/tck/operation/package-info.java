/** The contract of nodes, duties, definitions, schedules and lists. */
@NullMarked
package dev.waymark.tck.operation;

import org.jspecify.annotations.NullMarked;
