package dev.waymark.sqlite.internal.file;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The current row of a result, read as the types of the domain. */
public record Row(ResultSet columns) {

  public String text(String column) throws SQLException {
    return columns.getString(column);
  }

  public @Nullable String textOrNull(String column) throws SQLException {
    return columns.getString(column);
  }

  public long number(String column) throws SQLException {
    return columns.getLong(column);
  }

  public int smallNumber(String column) throws SQLException {
    return columns.getInt(column);
  }

  @Nullable Long numberOrNull(String column) throws SQLException {
    long value = columns.getLong(column);
    return columns.wasNull() ? null : value;
  }

  public byte[] bytes(String column) throws SQLException {
    return columns.getBytes(column);
  }

  public Instant instant(String column) throws SQLException {
    return Micros.toInstant(columns.getLong(column));
  }

  public @Nullable Instant instantOrNull(String column) throws SQLException {
    Long micros = numberOrNull(column);
    return micros == null ? null : Micros.toInstant(micros);
  }

  public InstanceId instance(String column) throws SQLException {
    return new InstanceId(UuidBytes.toUuid(columns.getBytes(column)));
  }

  public @Nullable InstanceId instanceOrNull(String column) throws SQLException {
    byte @Nullable [] bytes = columns.getBytes(column);
    return bytes == null ? null : new InstanceId(UuidBytes.toUuid(bytes));
  }

  public NodeId node(String column) throws SQLException {
    return new NodeId(UuidBytes.toUuid(columns.getBytes(column)));
  }

  @Nullable NodeId nodeOrNull(String column) throws SQLException {
    byte @Nullable [] bytes = columns.getBytes(column);
    return bytes == null ? null : new NodeId(UuidBytes.toUuid(bytes));
  }

  public BookmarkId bookmark() throws SQLException {
    return new BookmarkId(instance("instance_id"), number("tag"));
  }
}
