package dev.waymark.postgres.internal.table;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.Period;
import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.query.Suspended;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredInstances;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.PagedQuery.Counted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

public final class PostgresInstances implements StoredInstances {

  // Absent filters are null: the planner, which gets the values, drops them and picks the index of
  // those that are left.
  private static final String LIST =
      """
      select i.id, i.tenant, i.definition_id, i.version, i.status, i.visits, i.extra,
             i.business_key, i.correlation_id, i.trace_parent, i.created, i.updated, i.ended,
             i.parent_id, i.parent_visit, i.parent_reports
        from wm_instance i
       where i.tenant = :tenant
         and (cast(:after as uuid) is null or i.id < cast(:after as uuid))
         and (cast(:status as int) is null or i.status = cast(:status as int))
         and (cast(:begun_from as timestamptz) is null
              or i.created >= cast(:begun_from as timestamptz))
         and (cast(:begun_to as timestamptz) is null
              or i.created < cast(:begun_to as timestamptz))
         and (cast(:business_key as text) is null or i.business_key = cast(:business_key as text))
         and (cast(:correlation_id as text) is null
              or i.correlation_id = cast(:correlation_id as text))
         and (cast(:definition_key as text) is null
              or i.definition_id = any (array(
                select d.id
                  from wm_definition d
                 where d.tenant = :tenant
                   and d.key = cast(:definition_key as text))))
         and (cast(:parked as boolean) is null
              or (i.status = 1
                  and cast(:parked as boolean) = exists (
                    select 1
                      from wm_bookmark b
                     where b.instance_id = i.id
                       and b.state = 0
                       and b.kind = 3
                       and (cast(:activity as text) is null or b.key = cast(:activity as text)))))
         and (cast(:error as text) is null
              or i.id in (
                select c.instance_id
                  from wm_candidate c
                 where c.tenant = :tenant
                   and c.who = cast(:error as text)))
       order by i.id desc
       limit :limit
      """;

  // The first label leads, by its index; the others are looked up for what it finds.
  private static final String LIST_BY_LABEL =
      """
      select i.id, i.tenant, i.definition_id, i.version, i.status, i.visits, i.extra,
             i.business_key, i.correlation_id, i.trace_parent, i.created, i.updated, i.ended,
             i.parent_id, i.parent_visit, i.parent_reports
        from wm_label lead
        join wm_instance i on i.id = lead.instance_id
       where lead.tenant = :tenant
         and lead.name = :name
         and lead.value = :value
         and (cast(:after as uuid) is null or lead.instance_id < cast(:after as uuid))
         and (cast(:status as int) is null or i.status = cast(:status as int))
         and (cast(:begun_from as timestamptz) is null
              or i.created >= cast(:begun_from as timestamptz))
         and (cast(:begun_to as timestamptz) is null
              or i.created < cast(:begun_to as timestamptz))
         and (cast(:business_key as text) is null or i.business_key = cast(:business_key as text))
         and (cast(:correlation_id as text) is null
              or i.correlation_id = cast(:correlation_id as text))
         and (cast(:definition_key as text) is null
              or i.definition_id = any (array(
                select d.id
                  from wm_definition d
                 where d.tenant = :tenant
                   and d.key = cast(:definition_key as text))))
         and (cast(:parked as boolean) is null
              or (i.status = 1
                  and cast(:parked as boolean) = exists (
                    select 1
                      from wm_bookmark b
                     where b.instance_id = i.id
                       and b.state = 0
                       and b.kind = 3
                       and (cast(:activity as text) is null or b.key = cast(:activity as text)))))
         and (cast(:error as text) is null
              or i.id in (
                select c.instance_id
                  from wm_candidate c
                 where c.tenant = :tenant
                   and c.who = cast(:error as text)))
         and not exists (
           select 1
             from unnest(:names, :values) as wanted (name, value)
            where not exists (
              select 1
                from wm_label l
               where l.instance_id = i.id
                 and l.name = wanted.name
                 and l.value = wanted.value))
       order by lead.instance_id desc
       limit :limit
      """;

  // In the order of the parent's visits; a child's own id says nothing about when it came. The
  // tenant is asked last and apart: an index over all its instances is not the way to a few, and
  // children are of one tenant anyway.
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

  // Two ranges of the index on status, merged: it holds what is alive apart from what has ended.
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

  // By the index on status, which has what is alive apart from what has ended: what it costs grows
  // with the runs that are alive, not with history.
  private static final String COUNT =
      """
      select d.key,
             d.version,
             sum(case when i.status = 0 then 1 else 0 end) as running,
             sum(case when i.status = 1 and i.parked then 1 else 0 end) as parked,
             sum(case when i.status = 1 and not i.parked then 1 else 0 end) as held
        from (
          select live.definition_id,
                 live.status,
                 live.status = 1
                   and exists (
                     select 1
                       from wm_bookmark b
                      where b.instance_id = live.id
                        and b.state = 0
                        and b.kind = 3) as parked
            from wm_instance live
           where live.tenant = :tenant
             and live.status in (0, 1)
        ) i
        join wm_definition d on d.id = i.definition_id
       group by d.key, d.version
       order by d.key, d.version
      """;

  private static final String LIVE_BY_DEFINITION =
      """
      select live.definition_id, sum(live.instances) as instances
        from (select distinct d.tenant from wm_definition d) owner
       cross join lateral (
         select i.definition_id, count(*) as instances
           from wm_instance i
          where i.tenant = owner.tenant
            and i.status in (0, 1)
          group by i.definition_id) live
       group by live.definition_id
       order by live.definition_id
      """;

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

  private static final UUID NOBODY = new UUID(0, 0);

  private final Db db;

  public PostgresInstances(Db db) {
    this.db = db;
    db.watch(CHILDREN);
    db.watch(ENDED);
  }

  @Override
  public List<InstanceRow> list(Filter filter) {
    return db.call(
        "Listing instances",
        handle -> {
          Query query =
              filter.labels().isEmpty()
                  ? handle.createQuery(LIST)
                  : bindLabels(handle.createQuery(LIST_BY_LABEL), filter.labels());
          InstanceId after = filter.after();
          Suspended suspended = filter.suspended();
          Period begun = filter.begun();
          return query
              .addCustomizer(Db.PLANNED_EACH_TIME)
              .bind("tenant", filter.tenant())
              .bind("after", after == null ? null : after.value())
              .bind("status", filter.status())
              .bind("business_key", filter.businessKey())
              .bind("correlation_id", filter.correlationId())
              .bind("definition_key", filter.definitionKey())
              .bind("parked", suspended == null ? null : suspended.parked())
              .bind("activity", suspended == null ? null : suspended.activity())
              .bind("error", markOf(suspended))
              .bind("begun_from", Db.instant(begun == null ? null : begun.from()))
              .bind("begun_to", Db.instant(begun == null ? null : begun.to()))
              .bind("limit", filter.limit())
              .map((row, context) -> instance(row))
              .list();
        });
  }

  private static @Nullable String markOf(@Nullable Suspended suspended) {
    return suspended == null || suspended.error() == null
        ? null
        : Candidates.about(suspended.error());
  }

  private static Query bindLabels(Query query, Map<String, String> labels) {
    Map.Entry<String, String> lead = labels.entrySet().iterator().next();
    return query
        .bind("name", lead.getKey())
        .bind("value", lead.getValue())
        .bindArray("names", String.class, labels.keySet())
        .bindArray("values", String.class, labels.values());
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
                .bind("after", after == null ? NOBODY : after.child().value())
                .bind("limit", limit)
                .map((row, context) -> instance(row))
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
                .map((row, context) -> instance(row))
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
    return db.call(
        "Counting instances",
        handle ->
            handle
                .createQuery(COUNT)
                .bind("tenant", tenant)
                .map(
                    (row, context) ->
                        new StateCount(
                            row.getString("key"),
                            row.getInt("version"),
                            row.getLong("running"),
                            row.getLong("parked"),
                            row.getLong("held")))
                .list());
  }

  @Override
  public List<LiveCount> liveByDefinition() {
    return db.call(
        "Counting live instances",
        handle ->
            handle
                .createQuery(LIVE_BY_DEFINITION)
                .map(
                    (row, context) ->
                        new LiveCount(row.getLong("definition_id"), row.getLong("instances")))
                .list());
  }

  @Override
  public Page<HistoryRow> history(InstanceId instance, EntryPlace after, int limit) {
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

  @Override
  public long snapshotBefore(InstanceId instance, long version) {
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

  private static InstanceRow instance(ResultSet row) throws SQLException {
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
