package dev.waymark.sqlite;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.check.InvariantChecker;
import dev.waymark.engine.store.sql.BorrowedConnection;
import dev.waymark.sqlite.internal.commit.SqliteCommit;
import dev.waymark.sqlite.internal.commit.SqliteLoad;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.DatabaseFile;
import dev.waymark.sqlite.internal.file.LockFile;
import dev.waymark.sqlite.internal.file.Session;
import dev.waymark.sqlite.internal.file.SqliteFault;
import dev.waymark.sqlite.internal.message.SqliteBroadcasts;
import dev.waymark.sqlite.internal.message.SqliteCorrelations;
import dev.waymark.sqlite.internal.message.SqliteInbox;
import dev.waymark.sqlite.internal.message.SqliteOutbox;
import dev.waymark.sqlite.internal.message.SqliteStarts;
import dev.waymark.sqlite.internal.table.SqliteClosedWaits;
import dev.waymark.sqlite.internal.table.SqliteDefinitions;
import dev.waymark.sqlite.internal.table.SqliteDuties;
import dev.waymark.sqlite.internal.table.SqliteInstances;
import dev.waymark.sqlite.internal.table.SqliteLeases;
import dev.waymark.sqlite.internal.table.SqliteNodes;
import dev.waymark.sqlite.internal.table.SqlitePayloads;
import dev.waymark.sqlite.internal.table.SqliteSchedules;
import dev.waymark.sqlite.internal.table.SqliteSnapshots;
import dev.waymark.sqlite.internal.table.SqliteTurns;
import dev.waymark.sqlite.internal.table.SqliteWaits;
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
  private final SqliteCommit committing;
  private final Parts parts;
  private final Checker checker;

  private SqliteStore(Database database, @Nullable LockFile lock) {
    this.database = database;
    this.lock = lock;
    this.committing = new SqliteCommit(database);
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
            new SqlitePayloads(database),
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
            answers.add(SqliteLoad.answer(session, question));
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
                bytes > Limits.BATCH_BYTES
                    ? Load.Answer.LEFT
                    : SqliteLoad.answer(session, question);
            bytes += answer.bytes();
            answers.add(answer);
          }
          return answers;
        });
  }

  @Override
  public Load.Answer loadOn(Connection connection, Load question) {
    try {
      return SqliteLoad.answer(database.sessionOf(connection), question);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
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
