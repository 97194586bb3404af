package dev.waymark.sqlite.internal.file;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that the writer has opened, to be told from another one under the same path.
 *
 * <p>An open file that is deleted or replaced can still be written, and everything in it is gone
 * once it is closed. SQLite does not look, so the writer does, before each transaction: that takes
 * some microseconds, a commit takes a hundred times as long. If the file is put back, work goes on.
 */
final class OpenedFile {

  private static final Logger LOG = LoggerFactory.getLogger(OpenedFile.class);

  static final OpenedFile NONE = new OpenedFile(null, null);

  private final @Nullable Path path;

  /** Absent where the file system has no such thing: then nothing can be told. */
  private final @Nullable Object key;

  private final AtomicBoolean told = new AtomicBoolean();

  private OpenedFile(@Nullable Path path, @Nullable Object key) {
    this.path = path;
    this.key = key;
  }

  /** The file that is there now. */
  static OpenedFile at(Path path) {
    try {
      return new OpenedFile(path, key(path));
    } catch (IOException e) {
      throw gone(path, e);
    }
  }

  /**
   * Refuses to go on if the path leads to another file, or to none.
   *
   * @throws StoreException that says so
   */
  void check() {
    if (path == null || key == null) {
      return;
    }
    try {
      if (key.equals(key(path))) {
        told.set(false);
        return;
      }
    } catch (NoSuchFileException e) {
      throw told(gone(path, e));
    } catch (IOException e) {
      // The folder cannot be read for a moment: that says nothing about the file.
      return;
    }
    throw told(gone(path, new IOException("Another file has its name")));
  }

  private static @Nullable Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private static StoreException gone(Path path, IOException cause) {
    return new StoreException(
        Kind.TRANSIENT,
        "Expected the database file %s that was opened, but it was deleted, moved or replaced:"
                .formatted(path)
            + " nothing is written any more. Put it back, or stop this process and restore it",
        cause);
  }

  private StoreException told(StoreException gone) {
    if (told.compareAndSet(false, true)) {
      LOG.error("{}", gone.getMessage());
    }
    return gone;
  }
}
