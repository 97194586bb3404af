/**
 * SQL that both stores run with the same text. A store writes it in its dialect once and keeps the
 * result.
 */
@NullMarked
package dev.waymark.engine.store.sql;

import org.jspecify.annotations.NullMarked;
