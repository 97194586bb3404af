package dev.waymark.postgres.internal.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * Settings that pin the plans of hot statements. A plan that was made while tables were small scans
 * them from end to end until they are analysed again: 23 ms instead of 1.7 for a batch of 40.
 */
public enum PlanSettings {
  /** Our own connections have them from the start. */
  ON_CONNECTION(""),
  /**
   * Connections of a foreign pool get them with each statement, in the same round trip and
   * transaction, and lose them with its end. So it works behind a pooler in transaction mode too.
   */
  ON_STATEMENT(
      """
      select set_config('plan_cache_mode', 'force_generic_plan', true),
             set_config('enable_seqscan', 'off', true),
             set_config('jit', 'off', true),
             set_config('lock_timeout', '250ms', true);
      """),
  /** The caller's transaction keeps its own settings; one unit is planned well enough. */
  NONE("");

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

  private final String prefix;

  PlanSettings(String prefix) {
    this.prefix = prefix;
  }

  public String before(String sql) {
    return prefix + sql;
  }

  /** Executes a statement that has this prefix, and gives its rows. */
  public ResultSet query(PreparedStatement statement) throws SQLException {
    if (this != ON_STATEMENT) {
      return statement.executeQuery();
    }
    statement.execute();
    statement.getMoreResults();
    return statement.getResultSet();
  }
}
