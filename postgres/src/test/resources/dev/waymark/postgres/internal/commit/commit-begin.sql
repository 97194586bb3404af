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
bookmark as (
  select unnest(:bookmark_n) as n,
         unnest(:bookmark_tag) as tag,
         unnest(:bookmark_visit) as visit,
         unnest(:bookmark_kind) as kind,
         unnest(:bookmark_key) as key,
         unnest(:bookmark_payload) as payload,
         timestamptz 'epoch' + unnest(:bookmark_due) * interval '1 microsecond' as due,
         unnest(:bookmark_state) as state,
         unnest(:bookmark_holder) as holder,
         timestamptz 'epoch' + unnest(:bookmark_lease_until) * interval '1 microsecond' as lease_until,
         unnest(:bookmark_fence) as fence,
         timestamptz 'epoch' + unnest(:bookmark_created) * interval '1 microsecond' as created,
         unnest(:bookmark_closed_by) as closed_by,
         timestamptz 'epoch' + unnest(:bookmark_closed_at) * interval '1 microsecond' as closed_at,
         unnest(:bookmark_priority) as priority,
         unnest(:bookmark_correlation) as correlation,
         timestamptz 'epoch' + unnest(:bookmark_expires) * interval '1 microsecond' as expires,
         unnest(:bookmark_terms) as terms,
         unnest(:bookmark_audience) as audience
),
named as (
  select unnest(:named_n) as n,
         unnest(:named_tag) as tag,
         unnest(:named_who) as who,
         timestamptz 'epoch' + unnest(:named_due) * interval '1 microsecond' as due
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
created_bookmark as (
  insert into wm_bookmark (
    instance_id, tag, tenant, visit, kind, key, payload, due, state,
    holder, lease_until, fence, created, closed_by, closed_at, priority, correlation,
    expires, terms, audience)
  select ok.id, bookmark.tag, ok.tenant, bookmark.visit, bookmark.kind, bookmark.key,
         bookmark.payload, bookmark.due, bookmark.state, bookmark.holder,
         bookmark.lease_until, bookmark.fence, bookmark.created, bookmark.closed_by,
         bookmark.closed_at, bookmark.priority, bookmark.correlation, bookmark.expires,
         bookmark.terms, bookmark.audience
    from ok
    join bookmark using (n)
),
named_candidate as (
  insert into wm_candidate (instance_id, tag, who, due, tenant)
  select ok.id, named.tag, named.who, coalesce(named.due, timestamptz 'infinity'), ok.tenant
    from ok
    join named using (n)
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
remembered_command as (
  insert into wm_command (tenant, scope, id, fingerprint, instance_id, version, at)
  select ok.tenant, command.scope, command.id, command.fingerprint, ok.id, command.version,
         command.at
    from ok
    join command using (n)
   order by ok.tenant, command.scope, command.id
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
         = coalesce(sum(touches), 0) as int) as whole,
       array_agg(n) as passed
  from ok
