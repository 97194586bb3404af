-- BY_CORRELATION
with found as (
  select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
         b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
         b.stage, b.extensions, b.progress,
         coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
           + coalesce(octet_length(b.progress), 0) as size
    from wm_bookmark b
   where b.tenant = :tenant
     and b.correlation = :correlation
     and b.correlation is not null
     and b.state = 0
   order by b.key
   limit :limit
),
counted as (
  select *, sum(size) over (order by key rows unbounded preceding) as bytes
    from found
)
select *
  from counted
 where bytes - size < :bytes
 order by key
;

-- BY_KEY
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
;

-- COUNT
with
clock as materialized (
  select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
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
;

-- FIND
select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
       b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
       b.stage, b.extensions, b.progress
  from wm_bookmark b
 where b.instance_id = :instance
   and b.tag = :tag
   and b.tenant = :tenant
;

-- LAPSED_LEASES
with found as (
  select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
         b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
         b.stage, b.extensions, b.progress,
         coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
           + coalesce(octet_length(b.progress), 0) as size
    from wm_bookmark b
   where b.tenant = :tenant
     and b.state = 0
     and b.holder is not null
     and b.lease_until <= coalesce(cast(:now as timestamptz), statement_timestamp())
   order by b.lease_until
   limit :limit
),
counted as (
  select *, sum(size) over (order by lease_until rows unbounded preceding) as bytes
    from found
)
select *
  from counted
 where bytes - size < :bytes
 order by lease_until
;

-- NEXT_OUT_OF_TIME
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
;

-- OPEN
with found as (
  select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
         b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
         b.stage, b.extensions, b.progress,
         coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
           + coalesce(octet_length(b.progress), 0) as size
    from wm_bookmark b
   where b.tenant = :tenant
     and b.kind = :kind
     and b.kind <> 1
     and b.key not like '$ended:%'
     and b.state = 0
     and (coalesce(b.due, timestamptz 'infinity'), b.instance_id, b.tag)
         > (coalesce(cast(:after_due as timestamptz), timestamptz 'infinity'), :after, :after_tag)
   order by coalesce(b.due, timestamptz 'infinity'), b.instance_id, b.tag
   limit :limit
),
counted as (
  select *, sum(size) over (order by coalesce(due, timestamptz 'infinity'), instance_id, tag rows unbounded preceding) as bytes
    from found
)
select *
  from counted
 where bytes - size < :bytes
 order by coalesce(due, timestamptz 'infinity'), instance_id, tag
;

-- OPEN_TIMERS
with found as (
  select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
         b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
         b.stage, b.extensions, b.progress,
         coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
           + coalesce(octet_length(b.progress), 0) as size
    from wm_bookmark b
   where b.tenant = :tenant
     and b.kind = 1
     and b.state = 0
     and b.due >= coalesce(cast(:after_due as timestamptz), timestamptz 'infinity')
     and (b.due, b.instance_id, b.tag)
         > (coalesce(cast(:after_due as timestamptz), timestamptz 'infinity'), :after, :after_tag)
   order by b.due, b.instance_id, b.tag
   limit :limit
),
counted as (
  select *, sum(size) over (order by due, instance_id, tag rows unbounded preceding) as bytes
    from found
)
select *
  from counted
 where bytes - size < :bytes
 order by due, instance_id, tag
;

-- OUT_OF_TIME
select instance_id, tag
  from (select instance_id, tag
          from (select b.instance_id, b.tag
                  from wm_bookmark b
                 where b.state = 0
                   and b.expires is not null
                   and b.expires <= coalesce(cast(:now as timestamptz), statement_timestamp())
                 order by b.expires
                 limit :limit) expired
        union
        select instance_id, tag
          from (select b.instance_id, b.tag
                  from wm_bookmark b
                 where b.state = 0
                   and b.kind = 3
                   and b.due is not null
                   and b.due <= coalesce(cast(:now as timestamptz), statement_timestamp())
                 order by b.due
                 limit :limit) late) found
 limit :limit
;

-- OVERDUE
with found as (
  select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
         b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
         b.stage, b.extensions, b.progress,
         coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
           + coalesce(octet_length(b.progress), 0) as size
    from wm_bookmark b
   where b.tenant = :tenant
     and b.kind = :kind
     and b.kind <> 1
     and b.key not like '$ended:%'
     and b.state = 0
     and coalesce(b.due, timestamptz 'infinity') < :before
   order by coalesce(b.due, timestamptz 'infinity'), b.instance_id, b.tag
   limit :limit
),
counted as (
  select *, sum(size) over (order by coalesce(due, timestamptz 'infinity'), instance_id, tag rows unbounded preceding) as bytes
    from found
)
select *
  from counted
 where bytes - size < :bytes
 order by coalesce(due, timestamptz 'infinity'), instance_id, tag
;

-- OVERDUE_TIMERS
with found as (
  select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
         b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms,
         b.stage, b.extensions, b.progress,
         coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
           + coalesce(octet_length(b.progress), 0) as size
    from wm_bookmark b
   where b.tenant = :tenant
     and b.kind = 1
     and b.state = 0
     and b.due < :before
   order by b.due
   limit :limit
),
counted as (
  select *, sum(size) over (order by due rows unbounded preceding) as bytes
    from found
)
select *
  from counted
 where bytes - size < :bytes
 order by due
;

-- TENANTS
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
;
