/**
 * The store on SQLite: one file, one process, one writer.
 *
 * <p>Where PostgreSQL needs locks and clever statements, one writer needs neither: a unit is a
 * savepoint, a gate is an update that must change one row, and a claim is a plain select before an
 * update. The file itself remains to be guarded, and every part here guards it: the lock file, the
 * checks at open, and a connection that is thrown away after an I/O error.
 */
@NullMarked
package dev.waymark.sqlite;

import org.jspecify.annotations.NullMarked;
