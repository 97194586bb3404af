with
unit as (
  select 1 as n,
         (:unit_id)[1] as id,
         (:unit_tenant)[1] as tenant,
         (:unit_definition)[1] as definition,
         (:unit_before)[1] as before,
         (:unit_version)[1] as version,
         (:unit_status)[1] as status,
         (:unit_visits)[1] as visits,
         (:unit_variables)[1] as variables,
         (:unit_patched)[1] as patched,
         (:unit_extra)[1] as extra,
         timestamptz 'epoch' + (:unit_updated)[1] * interval '1 microsecond' as updated,
         timestamptz 'epoch' + (:unit_ended)[1] * interval '1 microsecond' as ended,
         (:unit_spends)[1] as spends,
         (:unit_touches)[1] as touches
   where cardinality(:unit_n) > 0
),
start as (
  select 1 as n,
         (:start_business_key)[1] as business_key,
         (:start_correlation_id)[1] as correlation_id,
         (:start_trace_parent)[1] as trace_parent,
         timestamptz 'epoch' + (:start_created)[1] * interval '1 microsecond' as created
   where cardinality(:start_n) > 0
),
ended as (
  select 1 as n,
         (:ended_visit)[1] as visit
   where cardinality(:ended_n) > 0
),
begun as (
  select 1 as n,
         (:begun_visit)[1] as visit,
         (:begun_activity)[1] as activity,
         (:begun_parent)[1] as parent,
         (:begun_state)[1] as state,
         (:begun_attempt)[1] as attempt,
         (:begun_failures)[1] as failures,
         (:begun_crashes)[1] as crashes,
         (:begun_node)[1] as node,
         timestamptz 'epoch' + (:begun_due)[1] * interval '1 microsecond' as due,
         timestamptz 'epoch' + (:begun_entered)[1] * interval '1 microsecond' as entered,
         (:begun_data)[1] as data,
         (:begun_fault)[1] as fault
   where cardinality(:begun_n) > 0
),
entry as (
  select 1 as n,
         (:entry_version)[place] as version,
         (:entry_ordinal)[place] as ordinal,
         (:entry_type)[place] as type,
         (:entry_activity)[place] as activity,
         (:entry_visit)[place] as visit,
         (:entry_attempt)[place] as attempt,
         (:entry_node)[place] as node,
         (:entry_bookmark)[place] as bookmark,
         (:entry_actor)[place] as actor,
         (:entry_command_id)[place] as command_id,
         timestamptz 'epoch' + (:entry_at)[place] * interval '1 microsecond' as at,
         (:entry_duration_us)[place] as duration_us,
         (:entry_events)[place] as events,
         (:entry_changes)[place] as changes,
         (:entry_detail)[place] as detail,
         (:entry_snapshot)[place] as snapshot
    from generate_series(1, cardinality(:entry_n)) place
),
event as (
  select 1 as n,
         (:event_lane)[1] as lane,
         (:event_sink)[1] as sink,
         (:event_event_id)[1] as event_id,
         (:event_version)[1] as version,
         (:event_ordinal)[1] as ordinal,
         (:event_type)[1] as type,
         (:event_data)[1] as data
   where cardinality(:event_n) > 0
),
command as materialized (
  select 1 as n,
         (:command_scope)[1] as scope,
         (:command_id)[1] as id,
         (:command_fingerprint)[1] as fingerprint,
         (:command_version)[1] as version,
         timestamptz 'epoch' + (:command_at)[1] * interval '1 microsecond' as at
   where cardinality(:command_n) > 0
),
taken as materialized (
  select 1 as n,
         (:taken_kind)[1] as kind,
         (:taken_key)[1] as key
   where cardinality(:taken_n) > 0
),
freed as (
  select 1 as n,
         (:freed_kind)[1] as kind,
         (:freed_key)[1] as key
   where cardinality(:freed_n) > 0
),
current as materialized (
  select u.*, i.place
    from (select * from unit where before > 0 order by id offset 0) u
   cross join lateral (
     select i.ctid as place
       from wm_instance i
      where i.id = u.id
        and i.version = u.before
        for update skip locked
   ) i
),
absent as materialized (
  select unit.*, cast(null as tid) as place
    from unit
   where unit.before = 0
     and (select i.id from wm_instance i where i.id = unit.id) is null
),
known as materialized (
  select n
    from unit
    join command using (n)
   cross join lateral (
     select c.id
       from wm_command c
      where c.tenant = unit.tenant
        and c.scope = command.scope
        and c.id = command.id
     offset 0
   ) c
),
occupied as materialized (
  select n
    from unit
    join taken using (n)
   cross join lateral (
     select k.key
       from wm_key k
      where k.tenant = unit.tenant
        and k.kind = taken.kind
        and k.key = taken.key
     offset 0
   ) k
),
contested as materialized (
  select n
    from unit
    join taken using (n)
   where cast(
           pg_try_advisory_xact_lock(
             hashtextextended(unit.tenant || ' ' || taken.kind || ' ' || taken.key, 0))
           as text) = 'false'
),
admitted as (
  select *
    from (
      select * from current
      union all
      select * from absent
    ) standing
   where n not in (select n from known)
     and n not in (select n from occupied)
     and n not in (select n from contested)
),
ok as materialized (
  select admitted.*
    from admitted
   where exists (
     select 1
       from wm_node
      where id = :node
        and state = 0
        and valid_until > coalesce(cast(:now as timestamptz), statement_timestamp()))
),
started_instance as (
  insert into wm_instance (
    id, tenant, definition_id, version, status, visits, variables, extra,
    business_key, correlation_id, trace_parent, created, updated, ended)
  select ok.id, ok.tenant, ok.definition, ok.version, ok.status, ok.visits, ok.variables,
         ok.extra, start.business_key, start.correlation_id, start.trace_parent,
         start.created, ok.updated, ok.ended
    from ok
    join start using (n)
  returning 1
),
moved_instance as (
  update wm_instance i
     set definition_id = ok.definition,
         version = ok.version,
         status = ok.status,
         visits = ok.visits,
         variables = coalesce(ok.variables, i.variables),
         variables_at = case
           when ok.patched then coalesce(i.variables_at, ok.before)
           when ok.variables is null then i.variables_at
         end,
         extra = ok.extra,
         updated = ok.updated,
         ended = ok.ended
    from ok
   where i.ctid = ok.place
  returning 1
),
ended_activity as (
  delete from wm_activity_instance a
   using (
     select found.place
       from ok
       join ended using (n)
      cross join lateral (
        select live.ctid as place
          from wm_activity_instance live
         where live.instance_id = ok.id
           and live.visit = ended.visit
        offset 0
      ) found
     offset 0
   ) ended
   where a.ctid = ended.place
  returning 1
),
begun_activity as (
  insert into wm_activity_instance (
    instance_id, visit, activity, parent, state, attempt, failures, crashes,
    node, due, entered, data, fault)
  select ok.id, begun.visit, begun.activity, begun.parent, begun.state, begun.attempt,
         begun.failures, begun.crashes, begun.node, begun.due, begun.entered, begun.data,
         begun.fault
    from ok
    join begun using (n)
),
written_entry as (
  insert into wm_history (
    instance_id, version, ordinal, type, activity, visit, attempt, node, bookmark,
    actor, command_id, at, duration_us, events, changes, detail, snapshot)
  select ok.id, entry.version, entry.ordinal, entry.type, entry.activity, entry.visit,
         entry.attempt, entry.node, entry.bookmark, entry.actor, entry.command_id, entry.at,
         entry.duration_us, entry.events, entry.changes, entry.detail, entry.snapshot
    from ok
    join entry using (n)
),
written_event as (
  insert into wm_outbox (lane, sink, event_id, instance_id, version, ordinal, type, data)
  select event.lane, event.sink, event.event_id, ok.id, event.version, event.ordinal,
         event.type, event.data
    from ok
    join event using (n)
   order by event.n, event.version, event.ordinal
),
remembered_command as (
  insert into wm_command (tenant, scope, id, fingerprint, instance_id, version, at)
  select ok.tenant, command.scope, command.id, command.fingerprint, ok.id, command.version,
         command.at
    from ok
    join command using (n)
   order by ok.tenant, command.scope, command.id
),
freed_key as (
  delete from wm_key k
   using (
     select found.place
       from ok
       join freed using (n)
      cross join lateral (
        select own.ctid as place
          from wm_key own
         where own.tenant = ok.tenant
           and own.kind = freed.kind
           and own.key = freed.key
           and own.instance_id = ok.id
        offset 0
      ) found
     offset 0
   ) freed
   where k.ctid = freed.place
  returning 1
),
taken_key as (
  insert into wm_key (tenant, kind, key, instance_id)
  select ok.tenant, taken.kind, taken.key, ok.id
    from ok
    join taken using (n)
   where ok.status < 2
   order by ok.tenant, taken.kind, taken.key
)
select 1 / cast(
         (select count(*) from started_instance)
         + (select count(*) from moved_instance)
         + (select count(*) from ended_activity)
         + (select count(*) from freed_key)
         = coalesce(sum(touches), 0) as int) as whole,
       array_agg(n) as passed
  from ok
