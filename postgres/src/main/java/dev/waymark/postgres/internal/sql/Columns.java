package dev.waymark.postgres.internal.sql;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Columns of a result as the types that we use. */
public final class Columns {

  private Columns() {}

  public static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  public static InstanceId instanceId(ResultSet row, String column) throws SQLException {
    return new InstanceId(row.getObject(column, UUID.class));
  }

  public static @Nullable InstanceId instanceIdOrNull(ResultSet row, String column)
      throws SQLException {
    UUID id = row.getObject(column, UUID.class);
    return id == null ? null : new InstanceId(id);
  }

  public static NodeId nodeId(ResultSet row, String column) throws SQLException {
    return new NodeId(row.getObject(column, UUID.class));
  }

  public static @Nullable NodeId nodeIdOrNull(ResultSet row, String column) throws SQLException {
    UUID id = row.getObject(column, UUID.class);
    return id == null ? null : new NodeId(id);
  }

  public static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }
}
