package dev.waymark.sqlite.internal.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.Pragma;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TempStore;
import org.sqlite.SQLiteConnection;

/** The file a database lives in: whether it may be trusted, and how connections to it are set. */
public final class DatabaseFile {

  /** File systems whose locks and shared memory SQLite cannot rely on. */
  private static final Set<String> NETWORK =
      Set.of(
          "9p",
          "afs",
          "ceph",
          "cifs",
          "fuse.glusterfs",
          "fuse.sshfs",
          "glusterfs",
          "lustre",
          "ncpfs",
          "nfs",
          "nfs3",
          "nfs4",
          "smb",
          "smb2",
          "smb3",
          "smbfs");

  // No other process writes, but a backup tool may lock the file for a moment.
  private static final int BUSY_MILLIS = 2_000;

  // SQLite reads a negative cache size as kibibytes. Two megabytes, the default, would make every
  // batch read its pages again.
  private static final int WRITER_CACHE = -64 * 1024;
  private static final int READER_CACHE = -8 * 1024;

  private final Path path;
  private final SynchronousMode synchronous;

  private DatabaseFile(Path path, SynchronousMode synchronous) {
    this.path = path;
    this.synchronous = synchronous;
  }

  /** Looks where the file lies, before anything is written there. */
  public static DatabaseFile at(Path path, SynchronousMode synchronous) {
    try {
      Path folder = Files.createDirectories(path.toAbsolutePath().getParent()).toRealPath();
      String type = Files.getFileStore(folder).type();
      if (isNetwork(type)) {
        throw new IllegalArgumentException(
            "Expected a local disk for %s, but its file system is %s: SQLite loses data there"
                .formatted(path, type));
      }
      // One database, one name: else two names of it would have two lock files.
      Path file = folder.resolve(path.getFileName());
      return new DatabaseFile(Files.exists(file) ? file.toRealPath() : file, synchronous);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot reach the folder of " + path, e);
    }
  }

  static boolean isNetwork(String fileSystemType) {
    return NETWORK.contains(fileSystemType.toLowerCase(Locale.ROOT));
  }

  public Path path() {
    return path;
  }

  WriteAheadLog log() {
    return new WriteAheadLog(path.resolveSibling(path.getFileName() + "-wal"));
  }

  /** Refuses a file that SQLite finds damaged: further writes would spread the damage. */
  public void check() {
    String verdict;
    try (Session session = reading().open()) {
      verdict = session.query("pragma quick_check(1)").first(row -> row.text("quick_check"));
    } catch (SQLException e) {
      throw new IllegalStateException(refusal(e.getMessage()), e);
    }
    if (!"ok".equals(verdict)) {
      throw new IllegalStateException(refusal(verdict));
    }
  }

  private String refusal(@Nullable String why) {
    return "Expected a whole SQLite database in %s, but %s. Copy it, and try '.recover' on the copy"
        .formatted(path, why);
  }

  SharedSession.Opening writing() {
    SQLiteConfig config = settings();
    config.setJournalMode(JournalMode.WAL);
    config.setCacheSize(WRITER_CACHE);
    config.setWalAutocheckpoint(WriteAheadLog.PAGES_PER_CHECKPOINT);
    config.setJournalSizeLimit(WriteAheadLog.MOST_BYTES);
    // Savepoints keep their undo pages in a temporary file otherwise.
    config.setTempStore(TempStore.MEMORY);
    return opening(config, DatabaseFile::checkLog);
  }

  SharedSession.Opening reading() {
    SQLiteConfig config = settings();
    config.setCacheSize(READER_CACHE);
    config.setWalAutocheckpoint(0);
    return opening(config, session -> session.execute("pragma query_only = 1"));
  }

  private SQLiteConfig settings() {
    SQLiteConfig config = new SQLiteConfig();
    config.setSynchronous(synchronous);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setPragma(Pragma.MMAP_SIZE, "0");
    config.enforceForeignKeys(false);
    // Otherwise every insert is followed by a select of the last row id.
    config.setGetGeneratedKeys(false);
    return config;
  }

  private interface SessionEnd {
    void on(Session session) throws SQLException;
  }

  // Where there is no shared memory, SQLite silently keeps to its old journal.
  private static void checkLog(Session session) throws SQLException {
    String mode = session.query("pragma journal_mode").first(row -> row.text("journal_mode"));
    if (!"wal".equals(mode)) {
      throw new IllegalStateException("Expected a write-ahead log, but the journal is " + mode);
    }
  }

  private SharedSession.Opening opening(SQLiteConfig config, SessionEnd finish) {
    return new SharedSession.Opening() {
      @Override
      public Session open() throws SQLException {
        SQLiteConnection connection =
            config.createConnection("jdbc:sqlite:" + path).unwrap(SQLiteConnection.class);
        Session session = new Session(connection);
        try {
          finish.on(session);
          return session;
        } catch (SQLException | RuntimeException e) {
          session.close();
          throw e;
        }
      }

      @Override
      public boolean canReopen() {
        return true;
      }
    };
  }
}
