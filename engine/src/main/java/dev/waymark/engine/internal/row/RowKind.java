package dev.waymark.engine.internal.row;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Duties;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.engine.store.Waits.WaitRow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of row as operators know it: its table, and the key that names one row of it.
 *
 * @param tenant whose a row is; gives null where the row does not say
 */
public record RowKind<R>(
    String table, Function<R, String> key, Function<R, @Nullable String> tenant) {

  public static final RowKind<ScheduleRow> SCHEDULE =
      new RowKind<>("wm_schedule", row -> row.tenant() + "/" + row.name(), ScheduleRow::tenant);

  public static final RowKind<MessageRow> MESSAGE =
      new RowKind<>(
          "wm_inbox",
          row -> row.key().tenant() + "/" + row.key().source() + "/" + row.key().id(),
          row -> row.key().tenant());

  public static final RowKind<DefinitionRow> DEFINITION =
      new RowKind<>("wm_definition", row -> String.valueOf(row.id()), DefinitionRow::tenant);

  public static final RowKind<InstanceRow> INSTANCE =
      new RowKind<>("wm_instance", row -> row.id().toString(), InstanceRow::tenant);

  public static final RowKind<WaitRow> WAIT =
      new RowKind<>("wm_bookmark", row -> bookmark(row.id()), WaitRow::tenant);

  /** A wait of which a search has returned only the id. */
  public static final RowKind<BookmarkId> DUE_WAIT =
      new RowKind<>("wm_bookmark", RowKind::bookmark, id -> null);

  public static final RowKind<Duties.Ready> READY_VISIT =
      new RowKind<>("wm_activity_instance", row -> row.instance() + "/" + row.visit(), row -> null);

  public static final RowKind<Duties.Running> RUNNING_VISIT =
      new RowKind<>("wm_activity_instance", row -> row.instance() + "/" + row.visit(), row -> null);

  public static final RowKind<Outbox.Pending> EVENT =
      new RowKind<>("wm_outbox", row -> row.lane() + "/" + row.id(), row -> null);

  public static RowKind<HistoryRow> entryOf(InstanceId instance) {
    return new RowKind<>(
        "wm_history", row -> instance + "/" + row.version() + "/" + row.ordinal(), row -> null);
  }

  static String bookmark(BookmarkId id) {
    return id.instance() + "/" + id.tag();
  }
}
