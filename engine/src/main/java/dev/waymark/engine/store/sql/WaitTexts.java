package dev.waymark.engine.store.sql;

import static java.util.Objects.requireNonNull;

/**
 * The questions about open waits with the same text on both databases, except the spelling of
 * moments. A store asks for each text once, when its class is loaded, and keeps the result as a
 * constant: so statements are still cached and planned by one text each. The golden files {@code
 * waits.sql} of both stores show the complete results.
 *
 * <p>Two questions stay with the stores. A planner of PostgreSQL takes a known key for a constant
 * and walks over all open waits, so it is given a range; and the tenants with open waits are found
 * there by the order of an index, on SQLite by {@code min}.
 */
public final class WaitTexts {

  private static final String FIND =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.instance_id = :instance
         and b.tag = :tag
         and b.tenant = :tenant
      """;

  private static final String BY_CORRELATION =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.tenant = :tenant
         and b.correlation = :correlation
         and b.correlation is not null
         and b.state = 0
       order by b.key
       limit :limit
      """;

  private static final String OPEN =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = :kind
         and b.kind <> 1
         and b.key not like '$ended:%'
         and b.state = 0
         and (coalesce(b.due, {never}), b.instance_id, b.tag)
             > (coalesce({moment:after_due}, {never}), :after, :after_tag)
       order by coalesce(b.due, {never}), b.instance_id, b.tag
       limit :limit
      """;

  private static final String OPEN_TIMERS =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = 1
         and b.state = 0
         and b.due >= coalesce({moment:after_due}, {never})
         and (b.due, b.instance_id, b.tag)
             > (coalesce({moment:after_due}, {never}), :after, :after_tag)
       order by b.due, b.instance_id, b.tag
       limit :limit
      """;

  private static final String OVERDUE =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = :kind
         and b.kind <> 1
         and b.key not like '$ended:%'
         and b.state = 0
         and coalesce(b.due, {never}) < :before
       order by coalesce(b.due, {never}), b.instance_id, b.tag
       limit :limit
      """;

  private static final String OVERDUE_TIMERS =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = 1
         and b.state = 0
         and b.due < :before
       order by b.due
       limit :limit
      """;

  private static final String LAPSED_LEASES =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.tenant = :tenant
         and b.state = 0
         and b.holder is not null
         and b.lease_until <= {now}
       order by b.lease_until
       limit :limit
      """;

  // Each part is counted from an index over just these rows: free waits, held waits, waits that
  // expire.
  private static final String COUNT =
      """
      with
      clock as materialized (
        select {now} as now
      ),
      free as materialized (
        select b.kind, count(*) as n, min(b.created) as oldest
          from wm_bookmark b
         where b.tenant = :tenant
           and b.state = 0
           and b.holder is null
           and b.kind <> 1
           and b.key not like '$ended:%'
         group by b.kind
      ),
      held as materialized (
        select b.kind,
               sum(case when b.lease_until <= (select now from clock) then 1 else 0 end) as lapsed,
               sum(case when b.lease_until > (select now from clock) and b.stage <> 1 then 1 else 0 end)
                 as claimed,
               sum(case when b.lease_until > (select now from clock) and b.stage = 1 then 1 else 0 end)
                 as processing
          from wm_bookmark b
         where b.tenant = :tenant
           and b.state = 0
           and b.holder is not null
         group by b.kind
      ),
      ended as materialized (
        select b.kind,
               count(*) as n,
               sum(case when b.holder is null or b.lease_until <= (select now from clock)
                        then 1 else 0 end) as loose
          from wm_bookmark b
         where b.expires <= (select now from clock)
           and b.state = 0
           and b.expires is not null
           and b.tenant = :tenant
         group by b.kind
      ),
      timers as materialized (
        select b.kind, count(*) as n, min(b.created) as oldest
          from wm_bookmark b
         where b.state = 0
           and b.kind = 1
           and b.tenant = :tenant
         group by b.kind
      )
      select kinds.kind,
             coalesce(free.n, 0) + coalesce(held.lapsed, 0) - coalesce(ended.loose, 0)
               + coalesce(timers.n, 0) as available,
             coalesce(held.claimed, 0) as claimed,
             coalesce(held.processing, 0) as processing,
             coalesce(ended.n, 0) as expired,
             coalesce(free.oldest, timers.oldest) as oldest
        from (select 0 as kind union all select 1 union all select 2 union all select 3
              union all select 4) kinds
        left join free on free.kind = kinds.kind
        left join held on held.kind = kinds.kind
        left join ended on ended.kind = kinds.kind
        left join timers on timers.kind = kinds.kind
       where coalesce(free.n, held.claimed, timers.n, ended.n) is not null
       order by kinds.kind
      """;

  private static final String OUT_OF_TIME =
      """
      select instance_id, tag
        from (select instance_id, tag
                from (select b.instance_id, b.tag
                        from wm_bookmark b
                       where b.state = 0
                         and b.expires is not null
                         and b.expires <= {now}
                       order by b.expires
                       limit :limit) expired
              union
              select instance_id, tag
                from (select b.instance_id, b.tag
                        from wm_bookmark b
                       where b.state = 0
                         and b.kind = 3
                         and b.due is not null
                         and b.due <= {now}
                       order by b.due
                       limit :limit) late) found
       limit :limit
      """;

  private static final String NEXT_OUT_OF_TIME =
      """
      select min(moment) as moment
        from (select (select min(b.expires)
                        from wm_bookmark b
                       where b.state = 0
                         and b.expires is not null) as moment
              union all
              select (select min(b.due)
                        from wm_bookmark b
                       where b.state = 0
                         and b.kind = 3
                         and b.due is not null)) moments
      """;

  private final Dialect dialect;

  public WaitTexts(Dialect dialect) {
    this.dialect = requireNonNull(dialect, "dialect");
  }

  public String find() {
    return dialect.write(FIND);
  }

  public String byCorrelation() {
    return dialect.write(BY_CORRELATION);
  }

  public String open() {
    return dialect.write(OPEN);
  }

  public String openTimers() {
    return dialect.write(OPEN_TIMERS);
  }

  public String overdue() {
    return dialect.write(OVERDUE);
  }

  public String overdueTimers() {
    return dialect.write(OVERDUE_TIMERS);
  }

  public String lapsedLeases() {
    return dialect.write(LAPSED_LEASES);
  }

  public String count() {
    return dialect.write(COUNT);
  }

  public String outOfTime() {
    return dialect.write(OUT_OF_TIME);
  }

  public String nextOutOfTime() {
    return dialect.write(NEXT_OUT_OF_TIME);
  }
}
