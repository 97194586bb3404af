package dev.waymark.sqlite.internal.file;

import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows of the tables, read as the records that they were written from. */
public final class RowMappers {

  private RowMappers() {}

  public static InstanceRow instance(Row row) throws SQLException {
    return instance(row, row.text("variables"));
  }

  public static InstanceRow instanceWithoutVariables(Row row) throws SQLException {
    return instance(row, null);
  }

  private static InstanceRow instance(Row row, @Nullable String variables) throws SQLException {
    return new InstanceRow(
        row.instance("id"),
        row.text("tenant"),
        row.number("definition_id"),
        row.number("version"),
        row.smallNumber("status"),
        row.number("visits"),
        variables,
        row.textOrNull("extra"),
        row.textOrNull("business_key"),
        row.textOrNull("correlation_id"),
        row.textOrNull("trace_parent"),
        row.instant("created"),
        row.instant("updated"),
        row.instantOrNull("ended"),
        parent(row));
  }

  private static @Nullable Parent parent(Row row) throws SQLException {
    InstanceId parent = row.instanceOrNull("parent_id");
    return parent == null
        ? null
        : new Parent(parent, row.number("parent_visit"), row.number("parent_reports") == 1);
  }

  public static ActivityRow activity(Row row) throws SQLException {
    return new ActivityRow(
        row.number("visit"),
        row.text("activity"),
        row.number("parent"),
        row.smallNumber("state"),
        row.smallNumber("attempt"),
        row.smallNumber("failures"),
        row.smallNumber("crashes"),
        row.nodeOrNull("node"),
        row.instantOrNull("due"),
        row.instant("entered"),
        row.textOrNull("data"),
        row.textOrNull("fault"));
  }

  public static BookmarkRow bookmark(Row row) throws SQLException {
    return new BookmarkRow(
        row.number("tag"),
        row.number("visit"),
        row.smallNumber("kind"),
        row.text("key"),
        row.textOrNull("payload"),
        row.instantOrNull("due"),
        row.smallNumber("state"),
        row.instant("created"),
        row.textOrNull("closed_by"),
        row.instantOrNull("closed_at"),
        row.textOrNull("holder"),
        row.instantOrNull("lease_until"),
        row.number("fence"),
        TermsRow.of(row.textOrNull("terms")));
  }

  public static HistoryRow history(Row row) throws SQLException {
    return new HistoryRow(
        row.number("version"),
        row.smallNumber("ordinal"),
        row.smallNumber("type"),
        row.textOrNull("activity"),
        row.number("visit"),
        row.smallNumber("attempt"),
        row.nodeOrNull("node"),
        row.numberOrNull("bookmark"),
        row.text("actor"),
        row.text("command_id"),
        row.instant("at"),
        row.numberOrNull("duration_us"),
        row.smallNumber("events"),
        row.textOrNull("changes"),
        row.textOrNull("detail"),
        row.textOrNull("snapshot"));
  }

  public static Message.Key key(Row row) throws SQLException {
    return new Message.Key(row.text("tenant"), row.text("source"), row.text("id"));
  }

  public static MessageRow message(Row row) throws SQLException {
    return new MessageRow(
        key(row),
        row.instanceOrNull("instance_id"),
        row.text("name"),
        row.textOrNull("payload"),
        row.text("sender"),
        row.instant("received"),
        row.textOrNull("correlation"),
        row.instantOrNull("expires"));
  }
}
