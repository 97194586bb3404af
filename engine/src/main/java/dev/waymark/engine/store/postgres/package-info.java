/**
 * The store on PostgreSQL. Commits and loads are plain prepared statements, where the time goes;
 * everything else is one readable statement per operation.
 *
 * <p>Nothing here keeps session state, holds an advisory lock or listens, so that it also works
 * behind a pooler in transaction mode.
 */
@NullMarked
package dev.waymark.engine.store.postgres;

import org.jspecify.annotations.NullMarked;
