package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.postgres.internal.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The columns of an instance as a row, without its variables. */
final class InstanceColumns {

  private InstanceColumns() {}

  static InstanceRow instance(ResultSet row) throws SQLException {
    return new InstanceRow(
        Columns.instanceId(row, "id"),
        row.getString("tenant"),
        row.getLong("definition_id"),
        row.getLong("version"),
        row.getInt("status"),
        row.getLong("visits"),
        null,
        row.getString("extra"),
        row.getString("business_key"),
        row.getString("correlation_id"),
        row.getString("trace_parent"),
        Columns.instant(row, "created"),
        Columns.instant(row, "updated"),
        Columns.instantOrNull(row, "ended"),
        parent(row));
  }

  private static @Nullable Parent parent(ResultSet row) throws SQLException {
    InstanceId parent = Columns.instanceIdOrNull(row, "parent_id");
    return parent == null
        ? null
        : new Parent(parent, row.getLong("parent_visit"), row.getBoolean("parent_reports"));
  }
}
