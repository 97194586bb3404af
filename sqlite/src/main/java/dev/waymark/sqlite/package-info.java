/**
 * The store on SQLite: one file, one process, one writer.
 *
 * <p>Where PostgreSQL needs locks and clever statements, one writer needs neither: a unit is a
 * savepoint, a gate is an update that must change one row, and a claim is a plain select before an
 * update. What is left to care about is the file itself, and here every part guards it: the lock
 * file, the checks at open, and a connection that is thrown away after an I/O error.
 */
@NullMarked
package dev.waymark.sqlite;

import org.jspecify.annotations.NullMarked;
