package dev.waymark.engine.store.check;

import dev.waymark.engine.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A database as the {@link InvariantChecker} reads it: one snapshot for all of its statements, and
 * the driver's way with instants and ids.
 */
public interface Snapshots {

  /** Reads something from a snapshot. */
  interface Reading<T> {
    T from(Connection connection) throws SQLException;
  }

  /** Reads everything from one snapshot, in a transaction that can write nothing. */
  <T> T read(Reading<T> reading);

  /** The clock that the store goes by. */
  Instant now(Connection connection) throws SQLException;

  /** An instant as the driver wants it bound. */
  Object parameter(Instant instant);

  /** An id as the driver wants it bound. */
  Object parameter(UUID id);

  @Nullable Instant instant(ResultSet row, String column) throws SQLException;

  @Nullable UUID id(ResultSet row, String column) throws SQLException;

  StoreException fault(SQLException cause);
}
