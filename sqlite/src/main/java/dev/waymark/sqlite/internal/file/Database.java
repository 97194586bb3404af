package dev.waymark.sqlite.internal.file;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.sql.BorrowedConnection;
import dev.waymark.engine.store.sql.StoreCall;
import dev.waymark.sqlite.internal.file.SharedSession.SessionTask;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConnection;

/**
 * One writer and a few readers on one database, with the clock that both are told the time by.
 *
 * <p>Readers see the last commit and never wait for the writer. In memory there is one connection
 * only, and reads take their turn on it.
 */
public final class Database implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private static final int READERS = 4;

  /** The number of commits between two looks at the size of the log. */
  private static final int COMMITS_PER_LOOK = 256;

  private final SharedSession writer;
  private final Readers readers;
  private final WriteAheadLog log;
  private final OpenedFile file;
  private final InstantSource clock;
  private final StoreCall calls = new StoreCall();

  private final AtomicInteger commits = new AtomicInteger();

  private Database(
      SharedSession writer,
      Readers readers,
      WriteAheadLog log,
      OpenedFile file,
      InstantSource clock) {
    this.writer = writer;
    this.readers = readers;
    this.log = log;
    this.file = file;
    this.clock = clock;
  }

  public static Database of(DatabaseFile file, InstantSource clock) {
    SharedSession.Opening reading = file.reading();
    List<SharedSession> readers =
        Stream.generate(() -> new SharedSession(reading)).limit(READERS).toList();
    SharedSession writer = new SharedSession(file.writing());
    writer.outsideTransaction(session -> true);
    return new Database(
        writer, new Readers(readers), file.log(), OpenedFile.at(file.path()), clock);
  }

  public static Database inMemory(InstantSource clock) {
    return new Database(
        new SharedSession(new MemoryDatabase()),
        new Readers(List.of()),
        WriteAheadLog.NONE,
        OpenedFile.NONE,
        clock);
  }

  public Instant now() {
    return clock.instant();
  }

  /** Runs a task in one transaction of the writer. */
  public <T> T write(SessionTask<T> task) {
    refuseNested();
    return calls.run(() -> writeHere(task));
  }

  /** The same for a transaction that user code takes part in. */
  public <T> T writeWithUserCode(SessionTask<T> task) {
    refuseNested();
    return calls.inTransaction(() -> writeHere(task));
  }

  private <T> T writeHere(SessionTask<T> task) {
    file.check();
    T result = writer.transaction("begin immediate", task);
    if (commits.incrementAndGet() % COMMITS_PER_LOOK == 0) {
      boundLog();
    }
    return result;
  }

  /** A thread that has the writer would wait for itself. */
  public void refuseNested() {
    if (writer.isMine()) {
      throw new IllegalStateException(
          "Expected no transaction, but this thread is inside inTransaction: SQLite has one writer,"
              + " so use the forms that take its connection");
    }
  }

  // The commit has succeeded, so a fault here must not look like one of the commit.
  private void boundLog() {
    try {
      if (log.isTooLong()) {
        writer.outsideTransaction(log::truncate);
      }
    } catch (StoreException | UncheckedIOException e) {
      LOG.warn("Cannot shorten the write-ahead log; it grows on", e);
    }
  }

  /** Runs a task on one snapshot. */
  public <T> T read(SessionTask<T> task) {
    return calls.run(() -> readers.isEmpty() ? readOnWriter(task) : readers.read(task));
  }

  /** Work that may find nothing. */
  public interface Search<T> {
    @Nullable T run(Session session) throws SQLException;
  }

  /** The same for a query that may find nothing. */
  public <T> @Nullable T find(Search<T> search) {
    return read(session -> Optional.ofNullable(search.run(session))).orElse(null);
  }

  public void migrate() {
    writer.outsideTransaction(readers.isEmpty() ? MemoryDatabase::migrate : SchemaMigration::run);
  }

  /** The transaction that the holder of this connection is in the middle of. */
  public Session sessionOf(Connection connection) {
    Session current = writer.current();
    Connection own = BorrowedConnection.behind(connection);
    try {
      if (own.isWrapperFor(SQLiteConnection.class)
          && own.unwrap(SQLiteConnection.class).equals(current.connection())) {
        return current;
      }
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
    throw new IllegalStateException(
        "Expected the connection of the transaction that inTransaction has begun, but got another");
  }

  private <T> T readOnWriter(SessionTask<T> task) {
    if (!writer.isMine()) {
      return writer.transaction("begin", task);
    }
    try {
      return task.run(writer.current());
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }

  /** Readers first: the last one to close is the writer, which checkpoints the whole log. */
  @Override
  public void close() {
    readers.close();
    writer.close();
    calls.close();
  }
}
