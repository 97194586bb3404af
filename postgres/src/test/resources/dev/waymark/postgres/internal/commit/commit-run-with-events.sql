with
unit as (
  select unnest(:unit_n) as n,
         unnest(:unit_id) as id,
         unnest(:unit_tenant) as tenant,
         unnest(:unit_definition) as definition,
         unnest(:unit_before) as before,
         unnest(:unit_version) as version,
         unnest(:unit_status) as status,
         unnest(:unit_visits) as visits,
         unnest(:unit_variables) as variables,
         unnest(:unit_patched) as patched,
         unnest(:unit_extra) as extra,
         timestamptz 'epoch' + unnest(:unit_updated) * interval '1 microsecond' as updated,
         timestamptz 'epoch' + unnest(:unit_ended) * interval '1 microsecond' as ended,
         unnest(:unit_spends) as spends,
         unnest(:unit_touches) as touches
),
start as (
  select unnest(:start_n) as n,
         unnest(:start_business_key) as business_key,
         unnest(:start_correlation_id) as correlation_id,
         unnest(:start_trace_parent) as trace_parent,
         timestamptz 'epoch' + unnest(:start_created) * interval '1 microsecond' as created
),
ended as (
  select unnest(:ended_n) as n,
         unnest(:ended_visit) as visit
),
begun as (
  select unnest(:begun_n) as n,
         unnest(:begun_visit) as visit,
         unnest(:begun_activity) as activity,
         unnest(:begun_parent) as parent,
         unnest(:begun_state) as state,
         unnest(:begun_attempt) as attempt,
         unnest(:begun_failures) as failures,
         unnest(:begun_crashes) as crashes,
         unnest(:begun_node) as node,
         timestamptz 'epoch' + unnest(:begun_due) * interval '1 microsecond' as due,
         timestamptz 'epoch' + unnest(:begun_entered) * interval '1 microsecond' as entered,
         unnest(:begun_data) as data,
         unnest(:begun_fault) as fault
),
entry as (
  select unnest(:entry_n) as n,
         unnest(:entry_version) as version,
         unnest(:entry_ordinal) as ordinal,
         unnest(:entry_type) as type,
         unnest(:entry_activity) as activity,
         unnest(:entry_visit) as visit,
         unnest(:entry_attempt) as attempt,
         unnest(:entry_node) as node,
         unnest(:entry_bookmark) as bookmark,
         unnest(:entry_actor) as actor,
         unnest(:entry_command_id) as command_id,
         timestamptz 'epoch' + unnest(:entry_at) * interval '1 microsecond' as at,
         unnest(:entry_duration_us) as duration_us,
         unnest(:entry_events) as events,
         unnest(:entry_changes) as changes,
         unnest(:entry_detail) as detail,
         unnest(:entry_snapshot) as snapshot
),
event as (
  select unnest(:event_n) as n,
         unnest(:event_lane) as lane,
         unnest(:event_sink) as sink,
         unnest(:event_event_id) as event_id,
         unnest(:event_version) as version,
         unnest(:event_ordinal) as ordinal,
         unnest(:event_type) as type,
         unnest(:event_data) as data
),
command as materialized (
  select unnest(:command_n) as n,
         unnest(:command_scope) as scope,
         unnest(:command_id) as id,
         unnest(:command_fingerprint) as fingerprint,
         unnest(:command_version) as version,
         timestamptz 'epoch' + unnest(:command_at) * interval '1 microsecond' as at
),
taken as materialized (
  select unnest(:taken_n) as n,
         unnest(:taken_kind) as kind,
         unnest(:taken_key) as key
),
freed as (
  select unnest(:freed_n) as n,
         unnest(:freed_kind) as kind,
         unnest(:freed_key) as key
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
