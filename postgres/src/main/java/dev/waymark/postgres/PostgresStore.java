package dev.waymark.postgres;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.check.InvariantChecker;
import dev.waymark.engine.store.sql.BorrowedConnection;
import dev.waymark.postgres.internal.commit.PostgresCommit;
import dev.waymark.postgres.internal.commit.PostgresLoad;
import dev.waymark.postgres.internal.message.PostgresBroadcasts;
import dev.waymark.postgres.internal.message.PostgresCorrelations;
import dev.waymark.postgres.internal.message.PostgresInbox;
import dev.waymark.postgres.internal.message.PostgresOutbox;
import dev.waymark.postgres.internal.message.PostgresStarts;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.Pools;
import dev.waymark.postgres.internal.sql.PostgresFault;
import dev.waymark.postgres.internal.sql.SchemaMigration;
import dev.waymark.postgres.internal.table.PostgresClosedWaits;
import dev.waymark.postgres.internal.table.PostgresDefinitions;
import dev.waymark.postgres.internal.table.PostgresDuties;
import dev.waymark.postgres.internal.table.PostgresInstances;
import dev.waymark.postgres.internal.table.PostgresLeases;
import dev.waymark.postgres.internal.table.PostgresNodes;
import dev.waymark.postgres.internal.table.PostgresPayloads;
import dev.waymark.postgres.internal.table.PostgresSchedules;
import dev.waymark.postgres.internal.table.PostgresSnapshots;
import dev.waymark.postgres.internal.table.PostgresTurns;
import dev.waymark.postgres.internal.table.PostgresWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Waymark on PostgreSQL, for any number of nodes.
 *
 * <p>It keeps no session state, so that it also works behind a pooler in transaction mode; give it
 * the application's {@link DataSource} then.
 */
public final class PostgresStore implements Store {

  private static final int UNITS_PER_BATCH = 200;
  private static final int BYTES_PER_BATCH = 4 * 1024 * 1024;
  private static final String LOAD = "A load";

  /**
   * After this time the connection is given back, so that a run whose row is locked for long does
   * not keep it.
   */
  private static final String BOUNDED_WAIT = "set local lock_timeout = '500ms'";

  private final PostgresOptions options;
  private final Pools pools;
  private final PostgresCommit commit;
  private final PostgresLoad load;
  private final PostgresLoad joinedLoad;
  private final Parts parts;
  private final Checker checker;

  PostgresStore(Pools pools, PostgresOptions options) {
    DatabaseClock clock = new DatabaseClock(options.virtualTime());
    Db db = new Db(pools, clock);
    this.options = options;
    this.pools = pools;
    this.commit = new PostgresCommit(pools, clock);
    this.load = PostgresLoad.on(pools);
    this.joinedLoad = PostgresLoad.joined();
    this.parts =
        new Parts(
            new PostgresNodes(db),
            new PostgresDuties(db, pools, clock),
            new PostgresOutbox(db),
            new PostgresInbox(db, pools),
            new PostgresBroadcasts(db),
            new PostgresCorrelations(pools, clock),
            new PostgresStarts(pools, clock),
            new PostgresLeases(pools, clock),
            new PostgresWaits(pools, clock),
            new PostgresClosedWaits(db),
            new PostgresTurns(db),
            new PostgresPayloads(db),
            new PostgresDefinitions(db),
            new PostgresSchedules(db),
            new PostgresInstances(db));
    this.checker = new InvariantChecker(new PostgresSnapshots(pools.bodies(), clock));
    pools.plans().complete();
  }

  /** Opens four small pools of its own; HikariCP must be on the class path. */
  public static PostgresStore open(
      String jdbcUrl, String user, String password, PostgresOptions options) {
    return of(HikariPools.open(jdbcUrl, user, password, options), options);
  }

  /**
   * Takes all connections from one pool of the application, which closes it.
   *
   * <p>The pool must have a connection for each of {@link PostgresOptions#committers}, twice {@link
   * PostgresOptions#workers} and {@link PostgresOptions#bodies}, 14 by default, beside those that
   * the application holds at a time. With fewer the engine works, but waits: a commit stands in one
   * line with the application. A joined verb needs no connection but its caller's.
   */
  public static PostgresStore on(DataSource source, PostgresOptions options) {
    return on(source, source, source, options);
  }

  /** The same, with a pool for each use: so slow work in the application cannot starve commits. */
  public static PostgresStore on(
      DataSource committers, DataSource workers, DataSource bodies, PostgresOptions options) {
    return of(Pools.of(committers, workers, bodies), options);
  }

  private static PostgresStore of(Pools pools, PostgresOptions options) {
    try {
      pools.refuseSimpleProtocol();
      return new PostgresStore(pools, options);
    } catch (RuntimeException fault) {
      pools.onClose().run();
      throw fault;
    }
  }

  @Override
  public void migrate() {
    SchemaMigration.run(pools.bodies().source());
  }

  @Override
  public List<String> checkPlans() {
    if (arePlansRemembered()) {
      return List.of();
    }
    List<String> doubts = pools.bodies().inTransaction("Checking plans", pools.plans()::run);
    if (doubts.isEmpty()) {
      rememberPlans();
    }
    return doubts;
  }

  // The memory saves time and nothing else. A node without the right to read or write it, or that
  // finds it locked, looks at the plans.
  private boolean arePlansRemembered() {
    try {
      return pools.bodies().inTransaction("Remembering plans", pools.plans()::isRemembered);
    } catch (StoreException unreadable) {
      return false;
    }
  }

  private void rememberPlans() {
    try {
      var unused =
          pools
              .bodies()
              .inTransaction(
                  "Remembering plans",
                  connection -> {
                    pools.plans().remember(connection);
                    return true;
                  });
    } catch (StoreException unwritable) {
      return;
    }
  }

  @Override
  public List<CommitResult> commit(NodeId node, List<UnitRows> units) {
    return commit.commit(node, units);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Under REPEATABLE READ a lost race is {@code STALE} too, but the transaction will go on
   * seeing the old state: it must be rolled back before the command is decided again.
   */
  @Override
  public CommitResult commitOn(Connection connection, @Nullable NodeId node, UnitRows unit) {
    return commit.commitOn(connection, node, unit);
  }

  @Override
  public List<Load.Answer> load(List<Load> questions) {
    return questions.isEmpty()
        ? List.of()
        : pools.loads().autocommitted(LOAD, connection -> load.load(connection, questions));
  }

  @Override
  public List<Load.Answer> loadTogether(List<Load> questions) {
    return questions.size() < 2
        ? load(questions)
        : pools.loads().autocommitted(LOAD, connection -> load.loadLight(connection, questions));
  }

  @Override
  public Load.Answer loadOn(Connection connection, Load question) {
    try {
      return joinedLoad.load(connection, List.of(question)).get(0);
    } catch (SQLException fault) {
      throw PostgresFault.of(LOAD, fault);
    }
  }

  @Override
  public CommitResult commitWaiting(NodeId node, UnitRows unit) {
    return pools
        .bodies()
        .inTransaction(
            "A commit",
            connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute(BOUNDED_WAIT);
              }
              return commit.commitOn(connection, node, unit);
            });
  }

  @Override
  public <T> T inTransaction(Work<T> work) {
    return pools
        .bodies()
        .inTransaction("A transaction", connection -> BorrowedConnection.lend(connection, work));
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
    return new Capacity(options.committers(), UNITS_PER_BATCH, BYTES_PER_BATCH);
  }

  @Override
  public void close() {
    pools.onClose().run();
  }
}
