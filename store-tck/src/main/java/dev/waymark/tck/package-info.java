/**
 * The contract of every store, as test classes to extend: one for each of its parts.
 *
 * <p>Two databases stay one product only if one suite judges both. The rows it writes are made by
 * hand here, not by the core, so that a contract can also write rows that the core would never
 * write.
 */
@NullMarked
package dev.waymark.tck;

import org.jspecify.annotations.NullMarked;
