/**
 * Where state rests: one contract, two databases. Nothing outside this package and its two dialects
 * touches {@code java.sql}, except to hand an application its connection; nothing inside it knows
 * what a definition means.
 */
@NullMarked
package dev.waymark.engine.store;

import org.jspecify.annotations.NullMarked;
