/**
 * The tools that judge a workflow: an engine in memory, assertions about its runs, and a clock that
 * is turned by hand.
 */
@NullMarked
package dev.waymark.testkit;

import org.jspecify.annotations.NullMarked;
