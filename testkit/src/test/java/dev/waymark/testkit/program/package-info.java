/** Random programs on both databases, and proof that a difference would be seen. */
@NullMarked
package dev.waymark.testkit.program;

import org.jspecify.annotations.NullMarked;
