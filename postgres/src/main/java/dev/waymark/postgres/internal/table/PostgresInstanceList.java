package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.Period;
import dev.waymark.engine.query.Suspended;
import dev.waymark.engine.store.StoredInstances.Filter;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.postgres.internal.sql.Db;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** The list of instances by filters on PostgreSQL, the newest first. */
final class PostgresInstanceList {

  // Absent filters are null: the planner, which gets the values, drops their conditions and picks
  // an index for the others.
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

  // The index of labels is searched for the first label; the other labels are looked up for each
  // run that it finds.
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

  private final Db db;

  PostgresInstanceList(Db db) {
    this.db = db;
  }

  List<InstanceRow> list(Filter filter) {
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
              .map((row, context) -> InstanceColumns.instance(row))
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
}
