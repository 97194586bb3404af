/**
 * The interfaces that applications implement: the work that is done at an activity of a type of
 * theirs.
 */
@NullMarked
package dev.waymark.engine.activity;

import org.jspecify.annotations.NullMarked;
