/** The parts of the store, one class each, with their statements. */
@NullMarked
package dev.waymark.postgres.internal.table;

import org.jspecify.annotations.NullMarked;
