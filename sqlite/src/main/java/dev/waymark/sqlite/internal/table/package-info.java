/** The parts of the store, one class each, with their statements. */
@NullMarked
package dev.waymark.sqlite.internal.table;

import org.jspecify.annotations.NullMarked;
