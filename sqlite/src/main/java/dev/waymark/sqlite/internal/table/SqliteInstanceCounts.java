package dev.waymark.sqlite.internal.table;

import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.store.StoredInstances.LiveCount;
import dev.waymark.sqlite.internal.file.Database;
import java.util.List;

/** The numbers of running and suspended instances on SQLite. */
final class SqliteInstanceCounts {

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

  private final Database database;

  SqliteInstanceCounts(Database database) {
    this.database = database;
  }

  List<StateCount> count(String tenant) {
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

  List<LiveCount> liveByDefinition() {
    return database.read(
        session ->
            session
                .query(LIVE_BY_DEFINITION)
                .list(row -> new LiveCount(row.number("definition_id"), row.number("instances"))));
  }
}
