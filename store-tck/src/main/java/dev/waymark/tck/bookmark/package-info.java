/** The contract of waits, claims and leases. */
@NullMarked
package dev.waymark.tck.bookmark;

import org.jspecify.annotations.NullMarked;
