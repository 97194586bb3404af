/**
 * The store on PostgreSQL. Commits, loads and all statements that run for every batch are plain
 * prepared statements, since most of the time is spent there; everything else goes through Jdbi.
 * Either way it is one readable statement per operation.
 *
 * <p>Nothing here keeps session state, holds an advisory lock or listens, so that it also works
 * behind a pooler in transaction mode.
 */
@NullMarked
package dev.waymark.postgres;

import org.jspecify.annotations.NullMarked;
