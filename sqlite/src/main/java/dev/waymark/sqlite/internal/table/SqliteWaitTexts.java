package dev.waymark.sqlite.internal.table;

import dev.waymark.engine.store.sql.Dialect;
import java.util.function.UnaryOperator;

/** The questions of {@link SqliteWaits} about open waits. */
final class SqliteWaitTexts {

  // The store gives the present to every statement.
  private static final Dialect DIALECT =
      new Dialect(":now", "9223372036854775807", UnaryOperator.identity());

  private static final dev.waymark.engine.store.sql.WaitTexts BOTH =
      new dev.waymark.engine.store.sql.WaitTexts(DIALECT);

  static final String FIND = BOTH.find();

  static final String BY_KEY =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
             b.stage, b.extensions, b.progress
        from wm_bookmark b
       where b.tenant = :tenant
         and b.key = :key
         and b.state = 0
         and b.key not like '$ended:%'
       order by b.instance_id
       limit :limit
      """;

  static final String BY_CORRELATION = BOTH.byCorrelation();
  static final String OPEN = BOTH.open();
  static final String OPEN_TIMERS = BOTH.openTimers();
  static final String OVERDUE = BOTH.overdue();
  static final String OVERDUE_TIMERS = BOTH.overdueTimers();
  static final String LAPSED_LEASES = BOTH.lapsedLeases();
  static final String COUNT = BOTH.count();

  // From one tenant to the next, not over all that lies between them.
  static final String TENANTS =
      """
      with recursive tenants(tenant) as (
        select (select min(b.tenant)
                  from wm_bookmark b
                 where b.state = 0
                   and b.holder is null
                   and b.kind <> 1
                   and b.key not like '$ended:%')
        union all
        select (select min(b.tenant)
                  from wm_bookmark b
                 where b.state = 0
                   and b.holder is null
                   and b.kind <> 1
                   and b.key not like '$ended:%'
                   and b.tenant > tenants.tenant)
          from tenants
         where tenants.tenant is not null
      )
      select tenants.tenant
        from tenants
       where tenants.tenant is not null
         and exists (select 1
                       from wm_bookmark b
                      where b.state = 0
                        and b.holder is null
                        and b.kind <> 1
                        and b.key not like '$ended:%'
                        and b.tenant = tenants.tenant
                        and b.kind = :kind)
       union
      select b.tenant
        from wm_bookmark b
       where b.state = 0
         and b.holder is not null
         and b.kind = :kind
         and b.lease_until <= :now
       order by 1
       limit :limit
      """;

  static final String OUT_OF_TIME = BOTH.outOfTime();
  static final String NEXT_OUT_OF_TIME = BOTH.nextOutOfTime();

  private SqliteWaitTexts() {}
}
