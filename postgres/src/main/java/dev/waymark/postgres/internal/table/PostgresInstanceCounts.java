package dev.waymark.postgres.internal.table;

import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.store.StoredInstances.LiveCount;
import dev.waymark.postgres.internal.sql.Db;
import java.util.List;

/** The numbers of running and suspended instances on PostgreSQL. */
final class PostgresInstanceCounts {

  // By the index on status, in which live runs lie apart from ended ones: the cost grows with the
  // number of live runs, not with history.
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

  private final Db db;

  PostgresInstanceCounts(Db db) {
    this.db = db;
  }

  List<StateCount> count(String tenant) {
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

  List<LiveCount> liveByDefinition() {
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
}
