/** Commit and load. */
@NullMarked
package dev.waymark.sqlite.internal.commit;

import org.jspecify.annotations.NullMarked;
