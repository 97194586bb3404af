/** Waits in the hands of people and programs: claims, leases, answers, questions and workers. */
@NullMarked
package dev.waymark.engine.bookmark;

import org.jspecify.annotations.NullMarked;
