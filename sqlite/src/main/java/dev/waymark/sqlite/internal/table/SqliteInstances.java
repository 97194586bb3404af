package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.Period;
import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.query.Suspended;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredInstances;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.RowMappers;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists and histories on SQLite. */
public final class SqliteInstances implements StoredInstances {

  private static final String LIST =
      """
      select i.id, i.tenant, i.definition_id, i.version, i.status, i.visits, i.extra,
             i.business_key, i.correlation_id, i.trace_parent, i.created, i.updated, i.ended,
             i.parent_id, i.parent_visit, i.parent_reports
        from wm_instance i
       where i.tenant = :tenant
      """;

  // One condition for each filter that is set. Written as "or :status is null" they would be one
  // text, but a plan that must serve every combination walks over all instances for each.
  private static final String WITH_STATUS = "   and i.status = :status\n";
  private static final String OF_DEFINITION =
      """
         and i.definition_id in (select d.id from wm_definition d
                                  where d.tenant = :tenant and d.key = :definition)
      """;
  private static final String WITH_BUSINESS_KEY = "   and i.business_key = :business_key\n";
  private static final String WITH_CORRELATION_ID = "   and i.correlation_id = :correlation_id\n";
  private static final String BEGUN_FROM = "   and i.created >= :begun_from\n";
  private static final String BEGUN_TO = "   and i.created < :begun_to\n";
  private static final String AFTER = "   and i.id < :after\n";
  private static final String WITH_LABEL =
      """
         and i.id in (select l.instance_id from wm_label l
                       where l.tenant = :tenant and l.name = :name_# and l.value = :value_#)
      """;
  private static final String PARKED =
      """
         and i.status = 1
         and exists (select 1 from wm_bookmark b
                      where b.instance_id = i.id and b.state = 0 and b.kind = 3)
      """;
  private static final String HELD =
      """
         and i.status = 1
         and not exists (select 1 from wm_bookmark b
                          where b.instance_id = i.id and b.state = 0 and b.kind = 3)
      """;
  private static final String PARKED_AT =
      """
         and exists (select 1 from wm_bookmark b
                      where b.instance_id = i.id and b.state = 0 and b.kind = 3
                        and b.key = :activity)
      """;
  private static final String WITH_ERROR =
      """
         and i.id in (select c.instance_id from wm_candidate c
                       where c.tenant = :tenant and c.who = :error)
      """;
  private static final String NEWEST_FIRST =
      """
       order by i.id desc
       limit :limit
      """;

  // In the order of the parent's visits; a child's own id says nothing about when it came. The plus
  // keeps SQLite from an index over all instances of the tenant.
  private static final String CHILDREN =
      """
      select i.id, i.tenant, i.definition_id, i.version, i.status, i.visits, i.extra,
             i.business_key, i.correlation_id, i.trace_parent, i.created, i.updated, i.ended,
             i.parent_id, i.parent_visit, i.parent_reports
        from wm_instance i
       where i.parent_id = :instance
         and +i.tenant = :tenant
         and (i.parent_visit, i.id) > (:visit, :after)
       order by i.parent_visit, i.id
       limit :limit
      """;

  private static final String LIVE =
      """
      select id
        from wm_instance
       where tenant = :tenant
         and status in (0, 1)
         and definition_id = :definition
         and id > :after
       order by id
       limit :limit
      """;

  private static final String IS_LIVE =
      """
      select 1
        from wm_instance
       where id = :id
         and status < 2
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
         and i.id > :after
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
                   and exists (select 1 from wm_bookmark b
                                where b.instance_id = live.id and b.state = 0 and b.kind = 3)
                   as parked
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
      select definition_id, count(*) as instances
        from wm_instance
       where status in (0, 1)
         and tenant in (select distinct tenant from wm_definition)
       group by definition_id
       order by definition_id
      """;

  /** Below every id. */
  private static final UUID FIRST = new UUID(0, 0);

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

  private static final UUID NOBODY = new UUID(0, 0);

  private final Database database;

  public SqliteInstances(Database database) {
    this.database = database;
  }

  @Override
  public List<InstanceRow> list(Filter filter) {
    String sql = textFor(filter);
    return database.read(
        session -> bind(session.query(sql), filter).list(RowMappers::instanceWithoutVariables));
  }

  private static String textFor(Filter filter) {
    StringBuilder sql = new StringBuilder(LIST);
    if (filter.status() != null) sql.append(WITH_STATUS);
    if (filter.definitionKey() != null) sql.append(OF_DEFINITION);
    if (filter.businessKey() != null) sql.append(WITH_BUSINESS_KEY);
    if (filter.correlationId() != null) sql.append(WITH_CORRELATION_ID);
    Period begun = filter.begun();
    if (begun != null && begun.from() != null) sql.append(BEGUN_FROM);
    if (begun != null && begun.to() != null) sql.append(BEGUN_TO);
    if (filter.after() != null) sql.append(AFTER);
    Suspended suspended = filter.suspended();
    if (suspended != null) {
      sql.append(suspended.parked() ? PARKED : HELD);
      if (suspended.activity() != null) sql.append(PARKED_AT);
      if (suspended.error() != null) sql.append(WITH_ERROR);
    }
    for (int i = 0; i < filter.labels().size(); i++)
      sql.append(WITH_LABEL.replace("#", String.valueOf(i)));
    return sql.append(NEWEST_FIRST).toString();
  }

  private static Query bind(Query query, Filter filter) throws SQLException {
    query.set("tenant", filter.tenant()).set("limit", filter.limit());
    if (filter.status() != null) query.set("status", filter.status());
    if (filter.definitionKey() != null) query.set("definition", filter.definitionKey());
    if (filter.businessKey() != null) query.set("business_key", filter.businessKey());
    if (filter.correlationId() != null) query.set("correlation_id", filter.correlationId());
    Period begun = filter.begun();
    if (begun != null && begun.from() != null) query.set("begun_from", begun.from());
    if (begun != null && begun.to() != null) query.set("begun_to", begun.to());
    if (filter.after() != null) query.set("after", filter.after().value());
    Suspended suspended = filter.suspended();
    if (suspended != null && suspended.activity() != null) {
      query.set("activity", suspended.activity());
    }
    if (suspended != null && suspended.error() != null) {
      query.set("error", Candidates.about(suspended.error()));
    }
    int i = 0;
    for (Map.Entry<String, String> label : filter.labels().entrySet()) {
      query.set("name_" + i, label.getKey()).set("value_" + i, label.getValue());
      i++;
    }
    return query;
  }

  @Override
  public List<InstanceRow> children(
      String tenant, InstanceId parent, @Nullable ChildRef after, int limit) {
    return database.read(
        session ->
            session
                .query(CHILDREN)
                .set("instance", parent.value())
                .set("tenant", tenant)
                .set("visit", after == null ? 0 : after.visit())
                .set("after", after == null ? NOBODY : after.child().value())
                .set("limit", limit)
                .list(RowMappers::instanceWithoutVariables));
  }

  @Override
  public List<InstanceId> live(
      String tenant, long definition, @Nullable InstanceId after, int limit) {
    return database.read(
        session ->
            session
                .query(LIVE)
                .set("tenant", tenant)
                .set("definition", definition)
                .set("after", after == null ? FIRST : after.value())
                .set("limit", limit)
                .list(row -> row.instance("id")));
  }

  @Override
  public List<InstanceRow> begunBefore(
      String tenant, Instant moment, @Nullable InstanceId after, int limit) {
    return database.read(
        session ->
            session
                .query(BEGUN_BEFORE)
                .set("tenant", tenant)
                .set("moment", moment)
                .set("after", after == null ? FIRST : after.value())
                .set("limit", limit)
                .list(RowMappers::instanceWithoutVariables));
  }

  @Override
  public List<InstanceId> ended(List<InstanceId> instances) {
    return database.read(
        session -> {
          List<InstanceId> ended = new ArrayList<>();
          for (InstanceId instance : instances) {
            if (!session.query(IS_LIVE).set("id", instance.value()).exists()) {
              ended.add(instance);
            }
          }
          return ended;
        });
  }

  @Override
  public List<StateCount> count(String tenant) {
    return database.read(
        session ->
            session
                .query(COUNT)
                .set("tenant", tenant)
                .list(
                    row ->
                        new StateCount(
                            row.text("key"),
                            row.smallNumber("version"),
                            row.number("running"),
                            row.number("parked"),
                            row.number("held"))));
  }

  @Override
  public List<LiveCount> liveByDefinition() {
    return database.read(
        session ->
            session
                .query(LIVE_BY_DEFINITION)
                .list(row -> new LiveCount(row.number("definition_id"), row.number("instances"))));
  }

  @Override
  public Page<HistoryRow> history(InstanceId instance, EntryPlace after, int limit) {
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

  @Override
  public long snapshotBefore(InstanceId instance, long version) {
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
