package dev.waymark.sqlite.internal.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The proof that this process alone has the database: a locked file beside it, which also names its
 * owner. The operating system drops the lock when the process ends, in any way, so a process that
 * gets the lock knows that every earlier process is gone.
 */
public final class LockFile implements AutoCloseable {

  /**
   * The files that this JVM has locked. The lock itself belongs to the process, so it cannot tell
   * two stores.
   */
  private static final Map<Path, String> HELD = new ConcurrentHashMap<>();

  // Far behind the owner's text, because a locked byte cannot be read on some systems.
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private final Path path;
  private final FileChannel channel;

  private LockFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  public static LockFile beside(Path database, InstantSource clock) {
    Path path = database.resolveSibling(database.getFileName() + ".lock");
    String owner = "process " + ProcessHandle.current().pid() + " since " + clock.instant();
    // Before the file is even opened: on POSIX, closing any channel to it drops this JVM's lock.
    String holder = HELD.putIfAbsent(path, owner);
    if (holder != null) {
      throw taken(database, holder + ", which is this one");
    }
    try {
      return new LockFile(path, lock(database, path, owner));
    } catch (IOException e) {
      HELD.remove(path);
      throw new UncheckedIOException("Cannot lock " + path, e);
    } catch (RuntimeException | Error e) {
      HELD.remove(path);
      throw e;
    }
  }

  private static FileChannel lock(Path database, Path path, String owner) throws IOException {
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
        throw taken(database, Files.readString(path).strip());
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((owner + "\n").getBytes(StandardCharsets.UTF_8)), 0);
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private static IllegalStateException taken(Path database, String holder) {
    return new IllegalStateException(
        "Expected to be alone with %s, but %s has it open".formatted(database, holder));
  }

  /** The file stays: deleting it could take it away from a process that has just locked it. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot unlock " + path, e);
    } finally {
      HELD.remove(path);
    }
  }
}
