/** Random programs on both databases, and proof that a difference would be seen. */
@NullMarked
package dev.waymark.proof.program;

import org.jspecify.annotations.NullMarked;
