package dev.waymark.postgres.internal.table;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.check.Snapshots;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.Micros;
import dev.waymark.postgres.internal.sql.Pool;
import dev.waymark.postgres.internal.sql.PostgresFault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The checker's view of PostgreSQL: one snapshot, on a connection that neither commits nor loads
 * need and that may be silent for long.
 */
public record PostgresSnapshots(Pool bodies, DatabaseClock clock) implements Snapshots {

  private static final String WHAT = "A check";
  private static final String SNAPSHOT =
      """
      set transaction isolation level repeatable read, read only
      """;
  private static final String NOW =
      """
      select coalesce(cast(? as timestamptz), statement_timestamp()) as now
      """;

  @Override
  public <T> T read(Reading<T> reading) {
    return bodies.inTransaction(
        WHAT,
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(SNAPSHOT);
          }
          return reading.from(connection);
        });
  }

  @Override
  public Instant now(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NOW)) {
      clock.bind(statement, 1);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return Columns.instant(result, "now");
      }
    }
  }

  @Override
  public Object parameter(Instant instant) {
    return Micros.toDatabase(instant);
  }

  @Override
  public Object parameter(UUID id) {
    return id;
  }

  @Override
  public @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    return Columns.instantOrNull(row, column);
  }

  @Override
  public @Nullable UUID id(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  public StoreException fault(SQLException cause) {
    return PostgresFault.of(WHAT, cause);
  }
}
