package dev.waymark.postgres.internal.sql;

import dev.waymark.engine.store.sql.StoreCall;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgStatement;

/**
 * Ordinary statements: each is one transaction on a worker's connection. SQL errors become a {@link
 * dev.waymark.engine.store.StoreException}.
 */
public final class Db {

  /**
   * For questions with optional filters: without a prepared statement the planner sees the values,
   * and so which of the filters are there at all.
   */
  public static final StatementCustomizer PLANNED_EACH_TIME =
      new StatementCustomizer() {
        @Override
        public void beforeExecution(PreparedStatement statement, StatementContext context)
            throws SQLException {
          if (statement.isWrapperFor(PgStatement.class)) {
            statement.unwrap(PgStatement.class).setPrepareThreshold(0);
          }
        }
      };

  private final Jdbi jdbi;
  private final DatabaseClock clock;
  private final PlanCheck plans;
  private final PlanSettings pins;
  private final StoreCall calls;

  public Db(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    this.plans = pools.plans();
    this.pins = pools.pins();
    this.calls = pools.workers().calls();
    this.jdbi =
        Jdbi.create(pools.workers().source())
            .registerArrayType(UUID.class, "uuid")
            .registerArrayType(Long.class, "int8")
            .registerArrayType(Integer.class, "int4")
            .registerArrayType(String.class, "text");
  }

  /** Has the plan of a statement looked at when a node starts, as that of a {@link HotQuery} is. */
  public void watch(HotStatement statement) {
    plans.add(statement);
  }

  public <T extends @Nullable Object> T call(String what, HandleCallback<T, RuntimeException> use) {
    return calls.run(() -> callHere(what, use));
  }

  private <T extends @Nullable Object> T callHere(
      String what, HandleCallback<T, RuntimeException> use) {
    try (Handle handle = open(what)) {
      try {
        if (pins == PlanSettings.ON_STATEMENT) {
          return withSettings(handle, use);
        }
        if (!handle.getConnection().getAutoCommit()) {
          handle.getConnection().setAutoCommit(true);
        }
        return use.withHandle(handle);
      } catch (SQLException fault) {
        Pool.discardIfSpoilt(handle.getConnection(), fault);
        throw PostgresFault.of(what, fault);
      } catch (JdbiException fault) {
        if (fault.getCause() instanceof SQLException cause) {
          Pool.discardIfSpoilt(handle.getConnection(), cause);
          throw PostgresFault.of(what, cause);
        }
        throw fault;
      }
    }
  }

  /** A foreign pool's connection, on which a statement would wait for a lock for ever. */
  private <T extends @Nullable Object> T withSettings(
      Handle handle, HandleCallback<T, RuntimeException> use) throws SQLException {
    Connection connection = handle.getConnection();
    connection.setAutoCommit(false);
    T result;
    try {
      pins.enterAsWorker(connection);
      result = use.withHandle(handle);
      connection.commit();
    } catch (Throwable fault) {
      rollBack(connection, fault);
      throw fault;
    }
    connection.setAutoCommit(true);
    return result;
  }

  private static void rollBack(Connection connection, Throwable because) {
    try {
      if (!connection.isClosed()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException alsoBroken) {
      because.addSuppressed(alsoBroken);
    }
  }

  /**
   * A statement in the caller's transaction. The connection stays the caller's: it is neither
   * committed nor closed.
   *
   * @throws IllegalStateException if the connection is in autocommit mode
   */
  public static <T> T on(
      Connection connection, String what, HandleCallback<T, RuntimeException> use) {
    try {
      requireTransaction(connection);
      return Jdbi.create(connection).withHandle(use);
    } catch (SQLException fault) {
      throw PostgresFault.of(what, fault);
    } catch (JdbiException fault) {
      throw fault.getCause() instanceof SQLException cause ? PostgresFault.of(what, cause) : fault;
    }
  }

  public static void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "Expected a connection inside a transaction, but it is in autocommit mode: nothing that"
              + " the caller does on it would be undone together with the step");
    }
  }

  public void run(String what, Consumer<Handle> use) {
    var unused =
        call(
            what,
            handle -> {
              use.accept(handle);
              return true;
            });
  }

  private Handle open(String what) {
    try {
      return jdbi.open();
    } catch (ConnectionException fault) {
      throw PostgresFault.unsent(
          what, fault.getCause() instanceof SQLException cause ? cause : fault);
    } catch (RuntimeException fault) {
      throw PostgresFault.unsent(what, fault);
    }
  }

  /** The value of {@code :now}. */
  public Argument now() {
    return (position, statement, context) -> clock.bind(statement, position);
  }

  public static Argument instant(@Nullable Instant instant) {
    return (position, statement, context) -> DatabaseClock.bind(statement, position, instant);
  }
}
