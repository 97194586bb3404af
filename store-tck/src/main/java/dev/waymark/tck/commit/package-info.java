/** The contract of commits and loads. */
@NullMarked
package dev.waymark.tck.commit;

import org.jspecify.annotations.NullMarked;
