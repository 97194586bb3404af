/** The database file: its lock, its one writer, its readers, and how statements are run. */
@NullMarked
package dev.waymark.sqlite.internal.file;

import org.jspecify.annotations.NullMarked;
