with
question as materialized (
  select unnest(:question_n) as n,
         unnest(:question_id) as id
),
command as materialized (
  select unnest(:command_n) as n,
         unnest(:command_tenant) as tenant,
         unnest(:command_scope) as scope,
         unnest(:command_id) as id
),
bookmark as materialized (
  select unnest(:bookmark_n) as n,
         unnest(:bookmark_instance_id) as instance_id,
         unnest(:bookmark_tag) as tag
),
key as materialized (
  select unnest(:key_n) as n,
         unnest(:key_tenant) as tenant,
         unnest(:key_key) as key
)
select q.n, 0 as kind, i.parent_id as u1,
       i.definition_id as l1, i.version as l2, cast(i.status as int8) as l3, i.visits as l4,
       i.parent_visit as l5, cast(cast(i.parent_reports as int4) as int8) as l6,
       i.tenant as s1, i.variables as s2, i.extra as s3, i.business_key as s4,
       i.correlation_id as s5, i.trace_parent as s6,
       i.created as t1, i.updated as t2, i.ended as t3, cast(null as timestamptz) as t4
  from question q
 cross join lateral (
   select * from wm_instance i where i.id = q.id offset 0
 ) i
union all
select q.n, 1, a.node,
       a.visit, a.parent, cast(a.state as int8), cast(a.attempt as int8),
       cast(a.failures as int8), cast(a.crashes as int8),
       a.activity, a.data, a.fault, null, null, null,
       a.due, a.entered, null, null
  from question q
 cross join lateral (
   select * from wm_activity_instance a where a.instance_id = q.id offset 0
 ) a
union all
select q.n, 2, null,
       b.tag, b.visit, cast(b.kind as int8), cast(b.state as int8), b.fence, int8 '0',
       b.key, b.payload, b.closed_by, b.holder, b.terms, null,
       b.due, b.created, b.closed_at, b.lease_until
  from question q
 cross join lateral (
   select * from wm_bookmark b where b.instance_id = q.id and b.state = 0 offset 0
 ) b
union all
select q.n, 3, null,
       b.tag, b.visit, cast(b.kind as int8), cast(b.state as int8), b.fence, int8 '0',
       b.key, b.payload, b.closed_by, b.holder, b.terms, null,
       b.due, b.created, b.closed_at, b.lease_until
  from bookmark q
 cross join lateral (
   select * from wm_bookmark b where b.instance_id = q.instance_id and b.tag = q.tag offset 0
 ) b
union all
select q.n, 4, c.instance_id,
       c.version, int8 '0', int8 '0', int8 '0', int8 '0', int8 '0',
       c.id, c.fingerprint, null, null, null, null,
       null, null, null, null
  from command q
 cross join lateral (
   select *
     from wm_command c
    where c.tenant = q.tenant and c.scope = q.scope and c.id = q.id
   offset 0
 ) c
union all
select q.n, 5, k.instance_id,
       int8 '0', int8 '0', int8 '0', int8 '0', int8 '0', int8 '0',
       null, null, null, null, null, null,
       null, null, null, null
  from key q
 cross join lateral (
   select * from wm_key k where k.tenant = q.tenant and k.kind = 0 and k.key = q.key offset 0
 ) k
union all
select q.n, 6, null,
       h.version, int8 '0', int8 '0', int8 '0', int8 '0', int8 '0',
       null, h.changes, null, null, null, null,
       null, null, null, null
  from question q
 cross join lateral (
   select i.id, i.variables_at
     from wm_instance i
    where i.id = q.id
      and i.variables_at is not null
   offset 0
 ) i
 cross join lateral (
   select h.version, h.changes
     from wm_history h
    where h.instance_id = i.id
      and h.version > i.variables_at
      and octet_length(h.changes) <= 6144
   offset 0
 ) h
