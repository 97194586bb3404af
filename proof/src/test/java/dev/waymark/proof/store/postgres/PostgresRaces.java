package dev.waymark.proof.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.testkit.VirtualClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A run in a store on PostgreSQL, and connections beside the store that hold its rows. */
abstract class PostgresRaces {

  final VirtualClock clock = new VirtualClock();
  final Units units = new Units(clock.instant());
  final NodeId node = new NodeId(UUID.randomUUID());
  final InstanceId id = Units.newId();
  final Database database = Database.withSchema();
  final PostgresStore store = database.open(clock);
  final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void given() {
    var unused = store.nodes().register(node, "test", Duration.ofHours(1));
    assertThat(outcome(units.start(id))).isEqualTo(Outcome.COMMITTED);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  CommitResult commit(UnitRows unit) {
    return store.commit(node, List.of(unit)).get(0);
  }

  Outcome outcome(UnitRows unit) {
    return commit(unit).outcome();
  }

  Connection transaction() throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  static void execute(Connection connection, String sql, InstanceId id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, id.value());
      statement.execute();
    }
  }

  void awaitWaiter() throws SQLException {
    var unused = waiter();
  }

  /** Asks the server until somebody waits for a lock; says since when its statement runs. */
  String waiter() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      while (true) {
        try (var rows =
            statement.executeQuery(
                "select query_start from pg_stat_activity"
                    + " where datname = current_database() and wait_event_type = 'Lock'")) {
          if (rows.next()) {
            return rows.getString("query_start");
          }
        }
      }
    }
  }
}
