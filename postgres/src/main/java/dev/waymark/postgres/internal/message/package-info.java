/** Messages, signals and events: those that come in, and those that go out. */
@NullMarked
package dev.waymark.postgres.internal.message;

import org.jspecify.annotations.NullMarked;
