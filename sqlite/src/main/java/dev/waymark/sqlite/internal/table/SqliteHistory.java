package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredInstances.EntryPlace;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.RowMappers;
import java.util.Objects;

/** The entries that steps have written about an instance, on SQLite. */
final class SqliteHistory {

  private static final String HISTORY =
      """
      select version, ordinal, type, activity, visit, attempt, node, bookmark, actor, command_id,
             at, duration_us, events, changes, detail, snapshot
        from wm_history
       where instance_id = :instance
         and (version, ordinal) > (:version, :ordinal)
       order by version, ordinal
       limit :limit
      """;

  private static final String SNAPSHOT_BEFORE =
      """
      select version
        from wm_history
       where instance_id = :instance
         and version <= :version
         and snapshot is not null
       order by version desc
       limit 1
      """;

  private final Database database;

  SqliteHistory(Database database) {
    this.database = database;
  }

  Page<HistoryRow> history(InstanceId instance, EntryPlace after, int limit) {
    return database.read(
        session ->
            session
                .query(HISTORY)
                .set("instance", instance.value())
                .set("version", after.version())
                .set("ordinal", after.ordinal())
                .set("limit", limit)
                .page(PageDraft.ofHistory(limit), RowMappers::history));
  }

  long snapshotBefore(InstanceId instance, long version) {
    Long found =
        database.find(
            session ->
                session
                    .query(SNAPSHOT_BEFORE)
                    .set("instance", instance.value())
                    .set("version", version)
                    .first(row -> row.number("version")));
    return Objects.requireNonNullElse(found, 0L);
  }
}
