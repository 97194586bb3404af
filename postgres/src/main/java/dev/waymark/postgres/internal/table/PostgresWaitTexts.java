package dev.waymark.postgres.internal.table;

import dev.waymark.engine.store.sql.Dialect;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.PagedQuery;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The questions of {@link PostgresWaits} about open waits. */
final class PostgresWaitTexts {

  private static final Dialect DIALECT =
      new Dialect(
          "coalesce(cast(:now as timestamptz), statement_timestamp())",
          "timestamptz 'infinity'",
          "cast(%s as timestamptz)"::formatted);

  private static final Pattern ORDER = Pattern.compile("\n order by (.+)\n limit :limit\n$");

  private static final String LAST_COLUMN = "b.progress\n";

  private static final String WITH_SIZE =
      """
      b.progress,
             coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
               + coalesce(octet_length(b.progress), 0) as size
      """;

  private static final dev.waymark.engine.store.sql.WaitTexts BOTH =
      new dev.waymark.engine.store.sql.WaitTexts(DIALECT);

  static final HotStatement FIND =
      HotStatement.of("a wait", "instance uuid, tag int8, tenant text", BOTH.find());

  // The key is written as a range, so that the planner does not take it for a constant and leave it
  // out of the order: else some planners walk over all that is open in the order of instances.
  static final HotStatement BY_KEY =
      HotStatement.of(
          "waits by key",
          "tenant text, key text, limit int4, bytes int8",
          """
          with found as (
            select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
                   b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
                   b.stage, b.extensions, b.progress,
                   coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
                     + coalesce(octet_length(b.progress), 0) as size
              from wm_bookmark b
             where b.tenant = :tenant
               and b.key >= :key
               and b.key <= :key
               and b.state = 0
               and b.key not like '$ended:%'
             order by b.key, b.instance_id
             limit :limit
          ),
          counted as (
            select *, sum(size) over (order by key, instance_id rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - size < :bytes
           order by key, instance_id
          """);

  static final HotStatement BY_CORRELATION =
      HotStatement.of(
          "waits by correlation",
          "tenant text, correlation text, limit int4, bytes int8",
          weighed(BOTH.byCorrelation()));

  static final HotStatement OPEN =
      HotStatement.of(
          "open waits",
          "tenant text, kind int4, after_due timestamptz, after uuid,"
              + " after_tag int8, limit int4, bytes int8",
          weighed(BOTH.open()));

  static final HotStatement OPEN_TIMERS =
      HotStatement.of(
          "open timers",
          "tenant text, after_due timestamptz, after uuid, after_tag int8,"
              + " limit int4, bytes int8",
          weighed(BOTH.openTimers()));

  static final HotStatement OVERDUE =
      HotStatement.of(
          "overdue waits",
          "tenant text, kind int4, before timestamptz, limit int4, bytes int8",
          weighed(BOTH.overdue()));

  static final HotStatement OVERDUE_TIMERS =
      HotStatement.of(
          "overdue timers",
          "tenant text, before timestamptz, limit int4, bytes int8",
          weighed(BOTH.overdueTimers()));

  static final HotStatement LAPSED_LEASES =
      HotStatement.of(
          "lapsed leases",
          "tenant text, now timestamptz, limit int4, bytes int8",
          weighed(BOTH.lapsedLeases()));

  // No index has the timers of one tenant, so all of them are counted.
  static final HotStatement COUNT =
      HotStatement.of("counted waits", "now timestamptz, tenant text", BOTH.count())
          .readingWhole("wm_bookmark_timer");

  // From one tenant to the next, not over all that lies between them.
  static final HotStatement TENANTS =
      HotStatement.of(
          "tenants that wait",
          "kind int4, now timestamptz, limit int4",
          """
          with recursive tenants(tenant) as (
            select (select b.tenant
                      from wm_bookmark b
                     where b.state = 0
                       and b.holder is null
                       and b.kind <> 1
                       and b.key not like '$ended:%'
                     order by b.tenant, b.kind, b.audience, b.priority desc, b.created
                     limit 1)
            union all
            select (select b.tenant
                      from wm_bookmark b
                     where b.state = 0
                       and b.holder is null
                       and b.kind <> 1
                       and b.key not like '$ended:%'
                       and b.tenant > tenants.tenant
                     order by b.tenant, b.kind, b.audience, b.priority desc, b.created
                     limit 1)
              from tenants
             where tenants.tenant is not null
          )
          select tenants.tenant
            from tenants
           where tenants.tenant is not null
             and (select b.tag
                    from wm_bookmark b
                   where b.state = 0
                     and b.holder is null
                     and b.kind <> 1
                     and b.key not like '$ended:%'
                     and b.tenant = tenants.tenant
                     and b.kind = :kind
                   order by b.audience, b.priority desc, b.created
                   limit 1) is not null
           union
          select b.tenant
            from wm_bookmark b
           where b.state = 0
             and b.holder is not null
             and b.kind = :kind
             and b.lease_until <= coalesce(cast(:now as timestamptz), statement_timestamp())
           order by 1
           limit :limit
          """);

  static final HotStatement OUT_OF_TIME =
      HotStatement.of("waits out of time", "now timestamptz, limit int4", BOTH.outOfTime());

  static final HotStatement NEXT_OUT_OF_TIME =
      HotStatement.of("the next wait out of time", "", BOTH.nextOutOfTime())
          .readingWhole("wm_bookmark_expires", "wm_bookmark_escalation");

  private PostgresWaitTexts() {}

  /**
   * A question whose rows have payloads, as {@link PagedQuery} wants it: the rows are weighed where
   * they lie, and those that would be too many bytes are not sent. (SQLite reads row by row, so
   * that its store stops reading instead.)
   */
  private static String weighed(String question) {
    Matcher order = ORDER.matcher(question);
    if (!order.find()) {
      throw new IllegalStateException(
          "Expected a question that ends with an order and a limit, but got " + question);
    }
    return """
    with found as (
    {question}),
    counted as (
      select *, sum(size) over (order by {order} rows unbounded preceding) as bytes
        from found
    )
    select *
      from counted
     where bytes - size < :bytes
     order by {order}
    """
        .replace("{question}", question.replace(LAST_COLUMN, WITH_SIZE).indent(2))
        .replace("{order}", order.group(1).replace("b.", ""));
  }
}
