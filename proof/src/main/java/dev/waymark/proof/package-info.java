/** Proof that the engine keeps its promises: a PostgreSQL server for tests, and random programs. */
@NullMarked
package dev.waymark.proof;

import org.jspecify.annotations.NullMarked;
