/** The contract of messages and events. */
@NullMarked
package dev.waymark.tck.message;

import org.jspecify.annotations.NullMarked;
