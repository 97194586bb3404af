package dev.waymark.postgres.internal.sql;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoreException.Kind;
import dev.waymark.engine.store.sql.StoreCall;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Connections for one kind of use. A connection that broke never goes back to be used again. Their
 * autocommit mode is left as it was last used: every pool sets it anew, and so do both methods.
 */
public record Pool(DataSource source, StoreCall calls) {

  /** Work on a connection. */
  public interface Use<T> {
    T on(Connection connection) throws SQLException;
  }

  /** One statement, one transaction. */
  public <T> T autocommitted(String what, Use<T> use) {
    return calls.run(() -> autocommittedHere(what, use));
  }

  private <T> T autocommittedHere(String what, Use<T> use) {
    try (Connection connection = connect(what)) {
      try {
        if (!connection.getAutoCommit()) {
          connection.setAutoCommit(true);
        }
        return use.on(connection);
      } catch (SQLException fault) {
        discardIfSpoilt(connection, fault);
        throw fault;
      }
    } catch (SQLException fault) {
      throw PostgresFault.of(what, fault);
    }
  }

  /** The same with a commit of its own, so that the statement's answer comes before it. */
  <T> T committed(String what, Use<T> use) {
    return calls.run(() -> inTransactionHere(what, use::on));
  }

  /** Many statements, one transaction: committed when the work returns, else rolled back. */
  public <T> T inTransaction(String what, Store.Work<T> work) {
    return calls.inTransaction(() -> inTransactionHere(what, work));
  }

  private <T> T inTransactionHere(String what, Store.Work<T> work) {
    try (Connection connection = connect(what)) {
      try {
        connection.setAutoCommit(false);
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException fault) {
        discardIfSpoilt(connection, fault);
        rollBack(connection, fault);
        throw fault;
      } catch (Throwable fault) {
        rollBack(connection, fault);
        throw fault;
      }
    } catch (SQLException fault) {
      throw PostgresFault.of(what, fault);
    } catch (RuntimeException fault) {
      throw fault;
    } catch (Exception fault) {
      if (fault instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new StoreException(
          Kind.PERMANENT, "%s was rolled back: %s".formatted(what, fault.getMessage()), fault);
    }
  }

  private Connection connect(String what) {
    calls.refuseIfClosed();
    try {
      return source.getConnection();
    } catch (SQLException | RuntimeException fault) {
      throw PostgresFault.unsent(what, fault);
    }
  }

  /**
   * Cuts the connection, then touches it once more: pools drop a connection when they see it fail,
   * and may hand one out unchecked that was in use a moment ago.
   */
  static void discardIfSpoilt(Connection connection, SQLException fault) {
    if (!PostgresFault.spoils(fault)) {
      return;
    }
    try {
      connection.abort(Runnable::run);
      connection.createStatement().close();
    } catch (SQLException alsoBroken) {
      fault.addSuppressed(alsoBroken);
    }
  }

  private static void rollBack(Connection connection, Throwable because) {
    try {
      if (!connection.isClosed()) {
        connection.rollback();
      }
    } catch (SQLException alsoBroken) {
      because.addSuppressed(alsoBroken);
    }
  }
}
