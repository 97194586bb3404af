/** The invariant checker, judged by data that is clean and by data that is broken on purpose. */
@NullMarked
package dev.waymark.proof.check;

import org.jspecify.annotations.NullMarked;
