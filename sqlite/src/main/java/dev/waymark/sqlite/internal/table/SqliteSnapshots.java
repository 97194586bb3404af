package dev.waymark.sqlite.internal.table;

import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.check.Snapshots;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Micros;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.SqliteFault;
import dev.waymark.sqlite.internal.file.UuidBytes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The checker's view of SQLite: a reader's transaction, which holds up no writer. */
public record SqliteSnapshots(Database database) implements Snapshots {

  @Override
  public <T> T read(Reading<T> reading) {
    return database.read(session -> reading.from(session.connection()));
  }

  @Override
  public Instant now(Connection connection) {
    return database.now();
  }

  @Override
  public Object parameter(Instant instant) {
    return Micros.of(instant);
  }

  @Override
  public Object parameter(UUID id) {
    return UuidBytes.of(id);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    return new Row(row).instantOrNull(column);
  }

  @Override
  public @Nullable UUID id(ResultSet row, String column) throws SQLException {
    byte @Nullable [] bytes = row.getBytes(column);
    return bytes == null ? null : UuidBytes.toUuid(bytes);
  }

  @Override
  public StoreException fault(SQLException cause) {
    return SqliteFault.of(cause);
  }
}
