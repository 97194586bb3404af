/** One runnable example per feature, small enough to read in one sitting. */
@NullMarked
package dev.waymark.examples;

import org.jspecify.annotations.NullMarked;
