/**
 * Time as people write it: cron expressions and intervals, what becomes of missed occurrences, and
 * calendars of working hours. Nothing here knows what time it is; moments arrive as arguments.
 */
@NullMarked
package dev.waymark.core.time;

import org.jspecify.annotations.NullMarked;
