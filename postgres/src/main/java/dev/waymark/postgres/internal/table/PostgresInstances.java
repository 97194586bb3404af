package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredInstances;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Instances on PostgreSQL, found by their relations: the children of a parent, the live ones of a
 * definition, those that have ended.
 */
public final class PostgresInstances implements StoredInstances {

  private static final HotStatement ENDED =
      HotStatement.of(
          "ended instances",
          "ids uuid[]",
          """
          select asked.id
            from unnest(:ids) with ordinality as asked (id, n)
            left join wm_instance i on i.id = asked.id
           where coalesce(i.status, 2) >= 2
           order by n
          """);

  // In the order of the parent's visits; a child's own id says nothing about when it came. The
  // tenant is compared last and outside: an index over all its instances is a long way to a few
  // children, and children are of one tenant anyway.
  private static final HotStatement CHILDREN =
      HotStatement.of(
          "children",
          "instance uuid, visit int8, after uuid, limit int4, tenant text",
          """
          select i.id, i.tenant, i.definition_id, i.version, i.status, i.visits, i.extra,
                 i.business_key, i.correlation_id, i.trace_parent, i.created, i.updated, i.ended,
                 i.parent_id, i.parent_visit, i.parent_reports
            from (
              select *
                from wm_instance child
               where child.parent_id = :instance
                 and (child.parent_visit, child.id) > (:visit, cast(:after as uuid))
               order by child.parent_visit, child.id
               limit :limit
            ) i
           where i.tenant = :tenant
           order by i.parent_visit, i.id
          """);

  // Two ranges of the index on status, merged: live runs lie apart from ended ones there.
  private static final String LIVE =
      """
      select live.id
        from (
          (select i.id
             from wm_instance i
            where i.tenant = :tenant
              and i.status = 0
              and i.definition_id = :definition
              and (cast(:after as uuid) is null or i.id > cast(:after as uuid))
            order by i.id
            limit :limit)
          union all
          (select i.id
             from wm_instance i
            where i.tenant = :tenant
              and i.status = 1
              and i.definition_id = :definition
              and (cast(:after as uuid) is null or i.id > cast(:after as uuid))
            order by i.id
            limit :limit)
        ) live
       order by live.id
       limit :limit
      """;

  private static final String BEGUN_BEFORE =
      """
      select i.id, i.tenant, i.definition_id, i.version, i.status, i.visits, i.extra,
             i.business_key, i.correlation_id, i.trace_parent, i.created, i.updated, i.ended,
             i.parent_id, i.parent_visit, i.parent_reports
        from wm_instance i
       where i.tenant = :tenant
         and i.status in (0, 1)
         and i.created < :moment
         and (cast(:after as uuid) is null or i.id > cast(:after as uuid))
       order by i.id
       limit :limit
      """;

  /** Below every id. */
  private static final UUID FIRST = new UUID(0, 0);

  private final Db db;
  private final PostgresInstanceList lists;
  private final PostgresInstanceCounts counts;
  private final PostgresHistory histories;

  public PostgresInstances(Db db) {
    this.db = db;
    this.lists = new PostgresInstanceList(db);
    this.counts = new PostgresInstanceCounts(db);
    this.histories = new PostgresHistory(db);
    db.watch(CHILDREN);
    db.watch(ENDED);
  }

  @Override
  public List<InstanceRow> list(Filter filter) {
    return lists.list(filter);
  }

  @Override
  public List<InstanceRow> children(
      String tenant, InstanceId parent, @Nullable ChildRef after, int limit) {
    return db.call(
        "Listing children",
        handle ->
            handle
                .createQuery(CHILDREN.text())
                .bind("instance", parent.value())
                .bind("tenant", tenant)
                .bind("visit", after == null ? 0 : after.visit())
                .bind("after", after == null ? FIRST : after.child().value())
                .bind("limit", limit)
                .map((row, context) -> InstanceColumns.instance(row))
                .list());
  }

  @Override
  public List<InstanceId> live(
      String tenant, long definition, @Nullable InstanceId after, int limit) {
    return db.call(
        "Listing the live instances of a definition",
        handle ->
            handle
                .createQuery(LIVE)
                .bind("tenant", tenant)
                .bind("definition", definition)
                .bind("after", after == null ? null : after.value())
                .bind("limit", limit)
                .map((row, context) -> new InstanceId(row.getObject("id", UUID.class)))
                .list());
  }

  @Override
  public List<InstanceRow> begunBefore(
      String tenant, Instant moment, @Nullable InstanceId after, int limit) {
    return db.call(
        "Listing long-running instances",
        handle ->
            handle
                .createQuery(BEGUN_BEFORE)
                .bind("tenant", tenant)
                .bind("moment", moment)
                .bind("after", after == null ? null : after.value())
                .bind("limit", limit)
                .map((row, context) -> InstanceColumns.instance(row))
                .list());
  }

  @Override
  public List<InstanceId> ended(List<InstanceId> instances) {
    return instances.isEmpty()
        ? List.of()
        : db.call(
            "Asking which instances have ended",
            handle ->
                handle
                    .createQuery(ENDED.text())
                    .bindArray(
                        "ids", UUID.class, instances.stream().map(InstanceId::value).toList())
                    .map((row, context) -> Columns.instanceId(row, "id"))
                    .list());
  }

  @Override
  public List<StateCount> count(String tenant) {
    return counts.count(tenant);
  }

  @Override
  public List<LiveCount> liveByDefinition() {
    return counts.liveByDefinition();
  }

  @Override
  public Page<HistoryRow> history(InstanceId instance, EntryPlace after, int limit) {
    return histories.history(instance, after, limit);
  }

  @Override
  public long snapshotBefore(InstanceId instance, long version) {
    return histories.snapshotBefore(instance, version);
  }
}
