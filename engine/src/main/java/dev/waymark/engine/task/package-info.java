/** The work and the decisions of people. */
@NullMarked
package dev.waymark.engine.task;

import org.jspecify.annotations.NullMarked;
