package dev.waymark.bench.chaos;

import dev.waymark.engine.activity.ActivityContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What the run itself saw, kept outside of the engine: an oracle that shares nothing with what it
 * judges. Every body writes a row before it does anything.
 */
final class Ledger implements AutoCloseable {

  private final Connection connection;

  private Ledger(Connection connection) {
    this.connection = connection;
  }

  /** The ledger of a store: in the same PostgreSQL, or in a file beside that of SQLite. */
  static Ledger open(String kind, String address) {
    boolean postgres = kind.equals("postgres");
    try {
      Connection connection =
          postgres
              ? DriverManager.getConnection(address, "postgres", "postgres")
              : DriverManager.getConnection("jdbc:sqlite:" + address + ".ledger");
      Ledger ledger = new Ledger(connection);
      if (!postgres) {
        // Survives the death of the process, which is all that is asked of it.
        ledger.execute("pragma journal_mode = wal");
        ledger.execute("pragma synchronous = off");
      }
      ledger.execute(
          "create table if not exists led_body(seq %s, instance text not null, visit bigint not null,"
                  .formatted(
                      postgres ? "bigserial primary key" : "integer primary key autoincrement")
              + " attempt int not null, node text not null)");
      return ledger;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot open the ledger", e);
    }
  }

  synchronized void bodyStarted(ActivityContext context, String node) {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into led_body(instance, visit, attempt, node) values (?, ?, ?, ?)")) {
      insert.setString(1, context.instance().toString());
      insert.setLong(2, context.visit());
      insert.setInt(3, context.attempt());
      insert.setString(4, node);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot write the ledger", e);
    }
  }

  /** Bodies that were started for an attempt after a later attempt had been started. */
  List<String> startedTooLate() {
    return rows(
        "select a.instance || ' visit ' || a.visit || ': attempt ' || b.attempt || ' began after "
            + "attempt ' || a.attempt from led_body a join led_body b on a.instance = b.instance"
            + " and a.visit = b.visit and b.attempt < a.attempt and b.seq > a.seq");
  }

  /** Bodies that were started twice for the same attempt. */
  List<String> startedTwice() {
    return rows(
        "select instance || ' visit ' || visit || ' attempt ' || attempt || ': ' || count(*) ||"
            + " ' starts' from led_body group by instance, visit, attempt having count(*) > 1");
  }

  long count(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot ask: " + sql, e);
    }
  }

  private List<String> rows(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot ask: " + sql, e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot close the ledger", e);
    }
  }
}
