package dev.waymark.sqlite.internal.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The log beside the database file. The writer checkpoints it, alone, after every so many pages;
 * that stops to help when readers always stand in the way, so there is a length at which the writer
 * waits for them.
 */
final class WriteAheadLog {

  /** 32 MiB: long enough that a page written in many batches is copied back once. */
  static final int PAGES_PER_CHECKPOINT = 8_000;

  static final int MOST_BYTES = 128 * 1024 * 1024;

  static final WriteAheadLog NONE = new WriteAheadLog(null);

  private final @Nullable Path file;

  WriteAheadLog(@Nullable Path file) {
    this.file = file;
  }

  boolean isTooLong() {
    try {
      return file != null && Files.exists(file) && Files.size(file) > MOST_BYTES;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean truncate(Session writer) throws SQLException {
    writer.execute("pragma wal_checkpoint(truncate)");
    return true;
  }
}
