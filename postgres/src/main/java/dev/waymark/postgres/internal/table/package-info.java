/** The parts of the store that are not about messages, with their statements. */
@NullMarked
package dev.waymark.postgres.internal.table;

import org.jspecify.annotations.NullMarked;
