/**
 * Waits in the hands of people and programs: claims, workers, tasks, approvals, assignment. Called
 * by applications; calls {@code request} and {@code step}.
 */
@NullMarked
package dev.waymark.engine.internal.bookmark;

import org.jspecify.annotations.NullMarked;
