package dev.waymark.engine.store.sqlite;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.BorrowedConnection;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.InvariantChecker;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.UnitRows;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waymark on one SQLite file, for one process.
 *
 * <p>A second process that opens the same file is refused, and so is a file on a network disk or
 * one that SQLite finds damaged.
 */
public final class SqliteStore implements Store {

  // One writer, so one committer. 200 units take about as long as their fsync.
  private static final Capacity CAPACITY = new Capacity(1, 500, 4 * 1024 * 1024);

  private final Database database;
  private final @Nullable LockFile lock;
  private final Committing committing;
  private final Parts parts;
  private final Checker checker;

  private SqliteStore(Database database, @Nullable LockFile lock) {
    this.database = database;
    this.lock = lock;
    this.committing = new Committing(database);
    this.parts =
        new Parts(
            new SqliteNodes(database),
            new SqliteDuties(database),
            new SqliteOutbox(database),
            new SqliteInbox(database),
            new SqliteBroadcasts(database),
            new SqliteCorrelations(database),
            new SqliteStarts(database),
            new SqliteLeases(database),
            new SqliteWaits(database),
            new SqliteClosedWaits(database),
            new SqliteTurns(database),
            new SqliteDefinitions(database),
            new SqliteSchedules(database),
            new SqliteInstances(database));
    this.checker = new InvariantChecker(new SqliteSnapshots(database));
  }

  /** Opens a file by the machine's clock, as an application does. */
  public static SqliteStore open(Path file) {
    return open(file, InstantSource.system());
  }

  public static SqliteStore open(Path file, InstantSource clock) {
    return open(file, clock, Durability.SURVIVES_POWER_CUT);
  }

  public static SqliteStore open(Path file, InstantSource clock, Durability durability) {
    DatabaseFile databaseFile = DatabaseFile.at(file, durability.synchronous());
    LockFile lock = LockFile.beside(databaseFile.path(), clock);
    try {
      databaseFile.check();
      return new SqliteStore(Database.of(databaseFile, clock), lock);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /** A store that is gone when it is closed, for tests. No two of them share anything. */
  public static SqliteStore inMemory(InstantSource clock) {
    return new SqliteStore(Database.inMemory(clock), null);
  }

  @Override
  public void migrate() {
    database.migrate();
  }

  @Override
  public List<CommitResult> commit(NodeId node, List<UnitRows> units) {
    return units.isEmpty() ? List.of() : committing.commit(node, units);
  }

  @Override
  public CommitResult commitOn(Connection connection, @Nullable NodeId node, UnitRows unit) {
    return committing.commitOn(database.sessionOf(connection), node, unit);
  }

  @Override
  public List<Load.Answer> load(List<Load> questions) {
    return database.read(
        session -> {
          List<Load.Answer> answers = new ArrayList<>(questions.size());
          for (Load question : questions) {
            answers.add(Loader.answer(session, question));
          }
          return answers;
        });
  }

  @Override
  public List<Load.Answer> loadTogether(List<Load> questions) {
    return database.read(
        session -> {
          List<Load.Answer> answers = new ArrayList<>(questions.size());
          long bytes = 0;
          for (Load question : questions) {
            Load.Answer answer =
                bytes > Limits.BATCH_BYTES ? Load.Answer.LEFT : Loader.answer(session, question);
            bytes += answer.bytes();
            answers.add(answer);
          }
          return answers;
        });
  }

  @Override
  public Load.Answer loadOn(Connection connection, Load question) {
    try {
      return Loader.answer(database.sessionOf(connection), question);
    } catch (SQLException e) {
      throw Faults.of(e);
    }
  }

  @Override
  public <T> T inTransaction(Work<T> work) {
    return database.writeWithUserCode(session -> lent(session, work));
  }

  private static <T> T lent(Session session, Work<T> work) throws SQLException {
    try {
      return BorrowedConnection.lend(session.connection(), work);
    } catch (SQLException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new StoreException(
          Kind.PERMANENT, "The transaction was rolled back: " + e.getMessage(), e);
    }
  }

  @Override
  public void refuseToWaitHere() {
    database.refuseNested();
  }

  @Override
  public Parts parts() {
    return parts;
  }

  @Override
  public Checker checker() {
    return checker;
  }

  @Override
  public Capacity capacity() {
    return CAPACITY;
  }

  @Override
  public void close() {
    try {
      database.close();
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }
}
