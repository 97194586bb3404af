package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.Candidates;
import dev.waymark.engine.query.Period;
import dev.waymark.engine.query.Suspended;
import dev.waymark.engine.store.StoredInstances.Filter;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.RowMappers;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The list of instances by filters on SQLite, the newest first. */
final class SqliteInstanceList {

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

  private final Database database;

  SqliteInstanceList(Database database) {
    this.database = database;
  }

  List<InstanceRow> list(Filter filter) {
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
}
