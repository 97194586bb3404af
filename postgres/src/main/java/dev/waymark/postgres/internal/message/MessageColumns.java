package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.internal.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The columns of a message as a row. */
final class MessageColumns {

  private MessageColumns() {}

  static Message.Key key(ResultSet row) throws SQLException {
    return new Message.Key(row.getString("tenant"), row.getString("source"), row.getString("id"));
  }

  static MessageRow message(ResultSet row) throws SQLException {
    return new MessageRow(
        key(row),
        Columns.instanceIdOrNull(row, "instance_id"),
        row.getString("name"),
        row.getString("payload"),
        row.getString("sender"),
        Columns.instant(row, "received"),
        row.getString("correlation"),
        Columns.instantOrNull(row, "expires"));
  }

  /** A message and the instance in the column {@code target}. */
  static Match match(ResultSet row) throws SQLException {
    return new Match(message(row), Columns.instanceId(row, "target"));
  }
}
