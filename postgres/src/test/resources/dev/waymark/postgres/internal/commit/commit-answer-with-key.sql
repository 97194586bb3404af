with
unit as (
  select unnest(:answer_n) as n,
         unnest(:answer_id) as id,
         unnest(:answer_tenant) as tenant,
         unnest(:answer_definition) as definition,
         unnest(:answer_before) as before,
         unnest(:answer_version) as version,
         unnest(:answer_status) as status,
         unnest(:answer_visits) as visits,
         unnest(:answer_variables) as variables,
         unnest(:answer_patched) as patched,
         unnest(:answer_extra) as extra,
         timestamptz 'epoch' + unnest(:answer_updated) * interval '1 microsecond' as updated,
         timestamptz 'epoch' + unnest(:answer_ended) * interval '1 microsecond' as ended,
         unnest(:answer_visit) as visit,
         unnest(:answer_tag) as tag,
         unnest(:answer_guard) as guard,
         unnest(:answer_fence) as fence,
         unnest(:answer_state) as state,
         unnest(:answer_closed_by) as closed_by,
         timestamptz 'epoch' + unnest(:answer_closed_at) * interval '1 microsecond' as closed_at,
         unnest(:answer_touches) as touches
),
dismissed as (
  select unnest(:dismissed_n) as n,
         unnest(:dismissed_tag) as tag,
         unnest(:dismissed_who) as who,
         timestamptz 'epoch' + unnest(:dismissed_due) * interval '1 microsecond' as due
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
freed as (
  select unnest(:freed_n) as n,
         unnest(:freed_kind) as kind,
         unnest(:freed_key) as key
),
ok as materialized (
  select u.*, i.place, b.place as wait
    from (select * from unit order by id offset 0) u
   cross join lateral (
     select i.ctid as place
       from wm_instance i
      where i.id = u.id
        and i.version = u.before
        for update skip locked
   ) i
   cross join lateral (
     select b.ctid as place
       from wm_bookmark b
      where b.instance_id = u.id
        and b.tag = u.tag
        and b.state = 0
        and case u.guard
              when 0 then true
              when 1 then b.holder is null
                or b.lease_until <= coalesce(cast(:now as timestamptz), statement_timestamp())
              when 2 then b.holder is not null and b.fence = u.fence
              when 3 then
                b.due <= coalesce(cast(:now as timestamptz), statement_timestamp())
            end
        for update skip locked
   ) b
   where exists (
     select 1
       from wm_node
      where id = :node
        and state = 0
        and valid_until > coalesce(cast(:now as timestamptz), statement_timestamp()))
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
closed_bookmark as (
  update wm_bookmark b
     set state = ok.state,
         closed_by = ok.closed_by,
         closed_at = ok.closed_at,
         holder = null,
         lease_until = null
    from ok
   where b.ctid = ok.wait
  returning 1
),
ended_activity as (
  delete from wm_activity_instance a
   using (
     select found.place
       from ok
      cross join lateral (
        select live.ctid as place
          from wm_activity_instance live
         where live.instance_id = ok.id
           and live.visit = ok.visit
        offset 0
      ) found
     offset 0
   ) ended
   where a.ctid = ended.place
  returning 1
),
dismissed_candidate as (
  delete from wm_candidate c
   using (
     select found.place
       from ok
       join dismissed using (n)
      cross join lateral (
        select own.ctid as place
          from wm_candidate own
         where own.instance_id = ok.id
           and own.tag = dismissed.tag
           and own.who = dismissed.who
           and own.due = coalesce(dismissed.due, timestamptz 'infinity')
        offset 0
      ) found
     offset 0
   ) dismissed
   where c.ctid = dismissed.place
  returning 1
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
)
select 1 / cast(
         (select count(*) from moved_instance)
         + (select count(*) from closed_bookmark)
         + (select count(*) from ended_activity)
         + (select count(*) from dismissed_candidate)
         + (select count(*) from freed_key)
         = coalesce(sum(touches), 0) as int) as whole,
       array_agg(n) as passed
  from ok
