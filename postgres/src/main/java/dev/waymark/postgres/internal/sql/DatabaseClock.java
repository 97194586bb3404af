package dev.waymark.postgres.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The clock that statements go by: the database's own, unless a test turns one by hand. Statements
 * say {@code coalesce(cast(:now as timestamptz), statement_timestamp())}, which an index can serve.
 */
public record DatabaseClock(@Nullable InstantSource virtual) {

  /** The value of {@code :now}: absent in production. */
  public @Nullable Instant virtualNow() {
    return virtual == null ? null : virtual.instant();
  }

  /** Binds {@code :now}: absent in production. */
  public void bind(PreparedStatement statement, int position) throws SQLException {
    bind(statement, position, virtualNow());
  }

  public static void bind(PreparedStatement statement, int position, @Nullable Instant instant)
      throws SQLException {
    if (instant == null) {
      statement.setNull(position, Types.TIMESTAMP_WITH_TIMEZONE);
    } else {
      statement.setObject(position, Micros.toDatabase(instant));
    }
  }
}
