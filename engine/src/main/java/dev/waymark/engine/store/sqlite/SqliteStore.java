package dev.waymark.engine.store.sqlite;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.BorrowedConnection;
import dev.waymark.engine.store.Broadcasts;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.ClosedWaits;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Definitions;
import dev.waymark.engine.store.Duties;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Instances;
import dev.waymark.engine.store.Leases;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Nodes;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Schedules;
import dev.waymark.engine.store.Starts;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.Turns;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.Waits;
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
  private final Nodes nodes;
  private final Duties duties;
  private final Outbox outbox;
  private final Inbox inbox;
  private final Broadcasts broadcasts;
  private final Correlations correlations;
  private final Starts starts;
  private final Leases leases;
  private final Waits waits;
  private final ClosedWaits closedWaits;
  private final Turns turns;
  private final Definitions definitions;
  private final Schedules schedules;
  private final Instances instances;
  private final Checker checker;

  private SqliteStore(Database database, @Nullable LockFile lock) {
    this.database = database;
    this.lock = lock;
    this.committing = new Committing(database);
    this.nodes = new SqliteNodes(database);
    this.duties = new SqliteDuties(database);
    this.outbox = new SqliteOutbox(database);
    this.inbox = new SqliteInbox(database);
    this.broadcasts = new SqliteBroadcasts(database);
    this.correlations = new SqliteCorrelations(database);
    this.starts = new SqliteStarts(database);
    this.leases = new SqliteLeases(database);
    this.waits = new SqliteWaits(database);
    this.closedWaits = new SqliteClosedWaits(database);
    this.turns = new SqliteTurns(database);
    this.definitions = new SqliteDefinitions(database);
    this.schedules = new SqliteSchedules(database);
    this.instances = new SqliteInstances(database);
    this.checker = new Checker(new SqliteSnapshots(database));
  }

  /** Opens a file by the machine's clock, as an application does. */
  public static SqliteStore open(Path file) {
    return open(file, InstantSource.system());
  }

  public static SqliteStore open(Path file, InstantSource clock) {
    return open(file, clock, Durability.SURVIVES_POWER_CUT);
  }

  public static SqliteStore open(Path file, InstantSource clock, Durability durability) {
    DatabaseFile databaseFile = DatabaseFile.at(file, durability);
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
  public Nodes nodes() {
    return nodes;
  }

  @Override
  public Duties duties() {
    return duties;
  }

  @Override
  public Outbox outbox() {
    return outbox;
  }

  @Override
  public Inbox inbox() {
    return inbox;
  }

  @Override
  public Starts starts() {
    return starts;
  }

  @Override
  public Correlations correlations() {
    return correlations;
  }

  @Override
  public Broadcasts broadcasts() {
    return broadcasts;
  }

  @Override
  public ClosedWaits closedWaits() {
    return closedWaits;
  }

  @Override
  public Turns turns() {
    return turns;
  }

  @Override
  public Waits waits() {
    return waits;
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Definitions definitions() {
    return definitions;
  }

  @Override
  public Schedules schedules() {
    return schedules;
  }

  @Override
  public Instances instances() {
    return instances;
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
