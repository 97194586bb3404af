/**
 * The contract of a database, which two stores fulfil, and the checker of the stored rows. The
 * engine calls it; it calls nothing of the engine. Nothing outside this package and its two stores
 * touches {@code java.sql}, except to hand an application its connection. Nothing inside it knows
 * the meaning of a definition; only the checker knows a bound that definitions have, on attempts.
 */
@NullMarked
package dev.waymark.engine.store;

import org.jspecify.annotations.NullMarked;
