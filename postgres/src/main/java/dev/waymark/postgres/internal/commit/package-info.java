/** The two statements in which the time goes: commit and load. */
@NullMarked
package dev.waymark.postgres.internal.commit;

import org.jspecify.annotations.NullMarked;
