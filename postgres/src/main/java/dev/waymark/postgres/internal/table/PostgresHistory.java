package dev.waymark.postgres.internal.table;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredInstances.EntryPlace;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.PagedQuery.Counted;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The entries that steps have written about an instance, on PostgreSQL. */
final class PostgresHistory {

  private static final String HISTORY =
      """
      with found as (
        select version, ordinal, type, activity, visit, attempt, node, bookmark, actor, command_id,
               at, duration_us, events, changes, detail, snapshot,
               coalesce(octet_length(changes), 0) + coalesce(octet_length(detail), 0)
                 + coalesce(octet_length(snapshot), 0) as size
          from wm_history
         where instance_id = :instance
           and (version, ordinal) > (:version, :ordinal)
         order by version, ordinal
         limit :limit
      ),
      counted as (
        select *, sum(size) over (order by version, ordinal rows unbounded preceding) as bytes
          from found
      )
      select *
        from counted
       where bytes - size < :bytes
       order by version, ordinal
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

  private final Db db;

  PostgresHistory(Db db) {
    this.db = db;
  }

  Page<HistoryRow> history(InstanceId instance, EntryPlace after, int limit) {
    return db.call(
        "Reading history",
        handle ->
            PagedQuery.page(
                handle
                    .createQuery(HISTORY)
                    .bind("instance", instance.value())
                    .bind("version", after.version())
                    .bind("ordinal", after.ordinal())
                    .bind("limit", limit)
                    .bind("bytes", (long) Limits.BATCH_BYTES)
                    .map((row, context) -> new Counted<>(entry(row), row.getLong("bytes")))
                    .list(),
                limit));
  }

  long snapshotBefore(InstanceId instance, long version) {
    return db.call(
        "Finding a snapshot",
        handle ->
            handle
                .createQuery(SNAPSHOT_BEFORE)
                .bind("instance", instance.value())
                .bind("version", version)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
  }

  private static HistoryRow entry(ResultSet row) throws SQLException {
    return new HistoryRow(
        row.getLong("version"),
        row.getInt("ordinal"),
        row.getInt("type"),
        row.getString("activity"),
        row.getLong("visit"),
        row.getInt("attempt"),
        Columns.nodeIdOrNull(row, "node"),
        Columns.longOrNull(row, "bookmark"),
        row.getString("actor"),
        row.getString("command_id"),
        Columns.instant(row, "at"),
        Columns.longOrNull(row, "duration_us"),
        row.getInt("events"),
        row.getString("changes"),
        row.getString("detail"),
        row.getString("snapshot"));
  }
}
