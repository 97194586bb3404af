/**
 * Time as people write it: cron expressions and intervals, the rules for missed occurrences, and
 * calendars of working hours. No class here reads a clock; moments arrive as arguments.
 */
@NullMarked
package dev.waymark.core.time;

import org.jspecify.annotations.NullMarked;
