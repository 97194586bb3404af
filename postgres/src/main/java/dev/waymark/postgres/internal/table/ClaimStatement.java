package dev.waymark.postgres.internal.table;

import dev.waymark.engine.query.ClaimOrder;
import dev.waymark.postgres.internal.sql.HotStatement;

/**
 * The statement that claims the next bookmarks.
 *
 * <p>Lapsed bookmarks, free ones and those with several names have an index each, which is searched
 * for each kind and name of the request, so that a claim never walks over held bookmarks. They are
 * found without a lock, more of them than are wanted, and then locked one by one in their order
 * until there are enough: so no bookmark is locked that is not taken. Every part is MATERIALIZED,
 * since SKIP LOCKED in a subquery that is run again takes more than its limit. The division fails
 * if it ever does.
 */
final class ClaimStatement {

  private static final String SOUGHT =
      """
      with
      clock as materialized (
        select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
      ),
      sought as materialized (
        select kinds.kind, names.who
          from unnest(cast(:kinds as int4[])) as kinds(kind)
         cross join unnest(cast(:names as text[])) as names(who)
      ),
      lapsed as materialized (
        select 0 as turn, b.*
          from sought
         cross join lateral (
           select w.instance_id, w.tag, w.priority, w.created, w.due
             from wm_bookmark w
            where w.state = 0
              and w.holder is not null
              and w.tenant = :tenant
              and w.kind = sought.kind
              and w.audience = sought.who
              and w.lease_until <= (select now from clock)
              and (w.expires is null or w.expires > (select now from clock))
              and (select c.tag
                     from wm_candidate c
                    where c.instance_id = w.instance_id
                      and c.tag = w.tag
                      and c.who = :barred
                    limit 1) is null
            order by w.lease_until
            limit :reach
         ) b
      ),
      """;

  private static final String FREE_BY_PRIORITY =
      """
      free as materialized (
        select 1 as turn, b.*
          from sought
         cross join lateral (
           select w.instance_id, w.tag, w.priority, w.created, w.due
             from wm_bookmark w
            where w.state = 0
              and w.holder is null
              and w.kind <> 1
              and w.key not like '$ended:%'
              and w.tenant = :tenant
              and w.kind = sought.kind
              and w.audience = sought.who
              and (w.expires is null or w.expires > (select now from clock))
              and (select c.tag
                     from wm_candidate c
                    where c.instance_id = w.instance_id
                      and c.tag = w.tag
                      and c.who = :barred
                    limit 1) is null
            order by w.priority desc, w.created, w.instance_id, w.tag
            limit :reach
         ) b
      ),
      """;

  // Bookmarks without a due time are looked for only if those with one are not enough: both lie in
  // one index.
  private static final String FREE_BY_DUE =
      """
      dated as materialized (
        select 1 as turn, b.*
          from sought
         cross join lateral (
           select w.instance_id, w.tag, w.priority, w.created, w.due
             from wm_bookmark w
            where w.state = 0
              and w.holder is null
              and w.kind <> 1
              and w.due is not null
              and w.tenant = :tenant
              and w.kind = sought.kind
              and w.audience = sought.who
              and (w.expires is null or w.expires > (select now from clock))
              and (select c.tag
                     from wm_candidate c
                    where c.instance_id = w.instance_id
                      and c.tag = w.tag
                      and c.who = :barred
                    limit 1) is null
            order by w.due, w.instance_id, w.tag
            limit :reach
         ) b
      ),
      free as materialized (
        select * from dated
        union all
        select 2, b.*
          from sought
         cross join lateral (
           select w.instance_id, w.tag, w.priority, w.created, w.due
             from wm_bookmark w
            where w.state = 0
              and w.holder is null
              and w.kind <> 1
              and w.key not like '$ended:%'
              and w.tenant = :tenant
              and w.kind = sought.kind
              and w.audience = sought.who
              and w.due is null
              and (w.expires is null or w.expires > (select now from clock))
              and (select c.tag
                     from wm_candidate c
                    where c.instance_id = w.instance_id
                      and c.tag = w.tag
                      and c.who = :barred
                    limit 1) is null
            order by w.priority desc, w.created, w.instance_id, w.tag
            limit greatest(0, :reach - (select count(*) from dated))
         ) b
      ),
      """;

  // Waits with several names are in the list of each name, the first due first. Held ones are
  // walked over: as many as the people who share these names hold.
  private static final String SEVERAL =
      """
      several as materialized (
        select distinct 1 as turn, b.*
          from unnest(cast(:several as text[])) as names(who)
         cross join lateral (
           select w.instance_id, w.tag, w.priority, w.created, w.due
             from wm_candidate c
            cross join lateral (
              select *
                from wm_bookmark o
               where o.instance_id = c.instance_id
                 and o.tag = c.tag
                 and o.state = 0
                 and (o.holder is null or o.lease_until <= (select now from clock))
                 and o.kind = any (cast(:kinds as int4[]))
                 and (o.expires is null or o.expires > (select now from clock))
              offset 0
            ) w
            where c.tenant = :tenant
              and c.who = names.who
              and (select e.tag
                     from wm_candidate e
                    where e.instance_id = c.instance_id
                      and e.tag = c.tag
                      and e.who = :barred
                    limit 1) is null
            order by c.due, c.instance_id, c.tag
            limit :reach
         ) b
      ),
      """;

  private static final String BY_PRIORITY =
      """
      found as materialized (
        select turn, instance_id, tag,
               row_number() over (order by turn, priority desc, created, instance_id, tag) as place
          from (select * from lapsed union all select * from free union all select * from several) b
         order by place
         limit :reach
      ),
      """;

  private static final String BY_DUE =
      """
      found as materialized (
        select turn, instance_id, tag,
               row_number() over (
                 order by turn, coalesce(due, timestamptz 'infinity'), priority desc, created,
                          instance_id, tag) as place
          from (select * from lapsed union all select * from free union all select * from several) b
         order by place
         limit :reach
      ),
      """;

  // The limit ends the loop over the found rows, so no row is locked that is not taken, except rows
  // whose documents are too large for one answer: they are unlocked when the statement ends.
  private static final String TAKEN =
      """
      locked as materialized (
        select found.place, b.spot, b.size
          from found
         cross join lateral (
           select w.ctid as spot,
                  coalesce(octet_length(w.payload), 0) + coalesce(octet_length(w.terms), 0)
                    + coalesce(octet_length(w.progress), 0) as size
             from wm_bookmark w
            where w.instance_id = found.instance_id
              and w.tag = found.tag
              and w.state = 0
              and (w.holder is null or w.lease_until <= (select now from clock))
              for update skip locked
         ) b
         limit :limit
      ),
      counted as materialized (
        select place, spot, size, cast(row_number() over (order by place) as int) as n,
               sum(size) over (order by place rows unbounded preceding) as bytes
          from locked
      ),
      taken as materialized (
        select place, spot, bytes, (cast(:holders as text[]))[n] as taker
          from counted
         where bytes - size < :bytes
      ),
      claimed as (
        update wm_bookmark b
           set holder = taken.taker,
               lease_until = (select now from clock) + :lease * interval '1 microsecond',
               fence = b.fence + 1,
               extensions = :extensions,
               stage = 0
          from taken
         where b.ctid = taken.spot
        returning taken.place, b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload,
                  b.due, b.state, b.created, b.closed_by, b.closed_at, b.holder, b.lease_until,
                  b.fence, b.terms, b.stage, b.extensions, b.progress, taken.bytes
      )
      select claimed.*, whole.found,
             1 / cast((select count(*) from claimed) <= :limit as int) as whole
        from (select count(*) as found from found) whole
        left join claimed on true
       order by place
      """;

  private static final String BY_PRIORITY_TEXT =
      SOUGHT + FREE_BY_PRIORITY + SEVERAL + BY_PRIORITY + TAKEN;
  private static final String BY_DUE_TEXT = SOUGHT + FREE_BY_DUE + SEVERAL + BY_DUE + TAKEN;

  private static final String TYPES =
      "now timestamptz, kinds int4[], names text[], tenant text, barred text,"
          + " reach int4, several text[], limit int4, holders text[], bytes int8,"
          + " lease int8, extensions int4";

  private ClaimStatement() {}

  static HotStatement of(ClaimOrder order) {
    return switch (order) {
      case PRIORITY_THEN_AGE -> HotStatement.of("claims by priority", TYPES, BY_PRIORITY_TEXT);
      case DUE -> HotStatement.of("claims by due time", TYPES, BY_DUE_TEXT);
    };
  }
}
