package dev.waymark.sqlite.internal.file;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/** One connection with the statements prepared on it. It serves one thread at a time. */
public final class Session implements AutoCloseable {

  private final SQLiteConnection connection;
  private final Map<String, Query> queries = new HashMap<>();
  private boolean open;

  Session(SQLiteConnection connection) {
    this.connection = connection;
  }

  public SQLiteConnection connection() {
    return connection;
  }

  /** The statement of this text, prepared once. Texts must be constants, or this would grow. */
  public Query query(String sql) throws SQLException {
    Query query = queries.get(sql);
    if (query == null) {
      query = Query.prepare(connection, sql);
      queries.put(sql, query);
    }
    return query;
  }

  boolean inTransaction() {
    return open;
  }

  // The driver's own commit() begins the next transaction at once, which would keep the write lock
  // and a snapshot for ever. So this class sends the three statements itself, and the driver is
  // only told about them: in autocommit mode it would try a BEGIN of its own after every statement.
  void begin(String how) throws SQLException {
    connection.getConnectionConfig().setAutoCommit(false);
    try {
      query(how).update();
      open = true;
    } finally {
      connection.getConnectionConfig().setAutoCommit(!open);
    }
  }

  void commit() throws SQLException {
    query("commit").update();
    ended();
  }

  public void rollback() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("rollback");
    } catch (SQLException e) {
      // After some errors SQLite has rolled back by itself, and says so with its plainest code.
      if (e.getErrorCode() != SQLiteErrorCode.SQLITE_ERROR.code) {
        throw e;
      }
    }
    ended();
  }

  private void ended() {
    connection.getConnectionConfig().setAutoCommit(true);
    open = false;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Drops the prepared statements: the driver closes some of them behind our back on an error. */
  public void forget() throws SQLException {
    for (Query query : queries.values()) {
      query.close();
    }
    queries.clear();
  }

  @Override
  public void close() throws SQLException {
    try {
      forget();
    } finally {
      connection.close();
    }
  }
}
