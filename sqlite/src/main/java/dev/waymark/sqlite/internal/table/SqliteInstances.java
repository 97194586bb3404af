package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoredInstances;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.RowMappers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Instances on SQLite, found by their relations: the children of a parent, the live ones of a
 * definition, those that have ended.
 */
public final class SqliteInstances implements StoredInstances {

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

  /** Below every id. */
  private static final UUID FIRST = new UUID(0, 0);

  private final Database database;
  private final SqliteInstanceList lists;
  private final SqliteInstanceCounts counts;
  private final SqliteHistory histories;

  public SqliteInstances(Database database) {
    this.database = database;
    this.lists = new SqliteInstanceList(database);
    this.counts = new SqliteInstanceCounts(database);
    this.histories = new SqliteHistory(database);
  }

  @Override
  public List<InstanceRow> list(Filter filter) {
    return lists.list(filter);
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
                .set("after", after == null ? FIRST : after.child().value())
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
