package dev.waymark.postgres.internal.sql;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings that pin the plans of hot statements, and that bound how long a statement waits for a
 * lock. A plan that was made while tables were small scans them from end to end until they are
 * analysed again: 23 ms instead of 1.7 for a batch of 40.
 */
public enum PlanSettings {
  /** Our own connections have them from the start. */
  ON_CONNECTION,
  /**
   * Connections of a foreign pool get them with each transaction, and lose them with its end. So it
   * works behind a pooler in transaction mode too.
   */
  ON_STATEMENT,
  /** The caller's transaction keeps its own settings; one unit is planned well enough. */
  NONE;

  /** For committers and loads, whose statements are few and always the same. */
  public static final Map<String, String> SETTINGS =
      Map.of(
          "plan_cache_mode", "force_generic_plan",
          "enable_seqscan", "off",
          "jit", "off",
          "lock_timeout", "250ms");

  /** For workers: questions with optional filters must still be planned by their values. */
  public static final Map<String, String> FOR_WORKERS =
      Map.of("enable_seqscan", "off", "jit", "off", "lock_timeout", "5s");

  private static final String SET = setLocally(SETTINGS);
  private static final String SET_FOR_WORKERS = setLocally(FOR_WORKERS);

  /** Sorted, so that the text is the same in every process. */
  private static String setLocally(Map<String, String> settings) {
    return new TreeMap<>(settings)
        .entrySet().stream()
            .map(one -> "set_config('%s', '%s', true)".formatted(one.getKey(), one.getValue()))
            .collect(joining(", ", "select ", ""));
  }

  /**
   * The text that runs a statement by itself, on a connection in autocommit mode. The transaction
   * is spelt out: the driver may send the part before a large answer as a message of its own, which
   * would end the implicit transaction, and the settings with it.
   */
  public String alone(String sql) {
    return this == ON_STATEMENT ? "begin;\n" + SET + ";\n" + sql + ";\ncommit" : sql;
  }

  /** The text that runs a statement in a transaction of ours. */
  public String within(String sql) {
    return this == ON_STATEMENT ? SET + ";\n" + sql : sql;
  }

  /** Sets them for the transaction that a committer has begun on the connection. */
  public void enter(Connection connection) throws SQLException {
    set(connection, SET);
  }

  /** Sets them for the transaction that a worker has begun on the connection. */
  public void enterAsWorker(Connection connection) throws SQLException {
    set(connection, SET_FOR_WORKERS);
  }

  private void set(Connection connection, String settings) throws SQLException {
    if (this == ON_STATEMENT) {
      try (PreparedStatement statement = connection.prepareStatement(settings)) {
        statement.execute();
      }
    }
  }

  /** Executes one of these texts, and gives the rows of the statement in it. */
  public ResultSet query(PreparedStatement statement) throws SQLException {
    if (this != ON_STATEMENT) {
      return statement.executeQuery();
    }
    try {
      return behindSettings(statement);
    } catch (Throwable fault) {
      rollBack(statement.getConnection(), fault);
      throw fault;
    }
  }

  private static ResultSet behindSettings(PreparedStatement statement) throws SQLException {
    boolean rows = statement.execute();
    while (!rows) {
      rows = statement.getMoreResults();
    }
    statement.getMoreResults();
    return statement.getResultSet();
  }

  /** Ends the transaction of a text that failed; the driver knows nothing of it. */
  private static void rollBack(Connection connection, Throwable because) {
    try {
      if (!connection.isClosed() && connection.getAutoCommit()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("rollback");
        }
      }
    } catch (SQLException alsoBroken) {
      because.addSuppressed(alsoBroken);
    }
  }
}
