with
unit as (
  select 1 as n,
         (:answer_id)[1] as id,
         (:answer_tenant)[1] as tenant,
         (:answer_definition)[1] as definition,
         (:answer_before)[1] as before,
         (:answer_version)[1] as version,
         (:answer_status)[1] as status,
         (:answer_visits)[1] as visits,
         (:answer_variables)[1] as variables,
         (:answer_patched)[1] as patched,
         (:answer_extra)[1] as extra,
         timestamptz 'epoch' + (:answer_updated)[1] * interval '1 microsecond' as updated,
         timestamptz 'epoch' + (:answer_ended)[1] * interval '1 microsecond' as ended,
         (:answer_visit)[1] as visit,
         (:answer_tag)[1] as tag,
         (:answer_guard)[1] as guard,
         (:answer_fence)[1] as fence,
         (:answer_state)[1] as state,
         (:answer_closed_by)[1] as closed_by,
         timestamptz 'epoch' + (:answer_closed_at)[1] * interval '1 microsecond' as closed_at,
         (:answer_touches)[1] as touches
   where cardinality(:answer_n) > 0
),
dismissed as (
  select 1 as n,
         (:dismissed_tag)[1] as tag,
         (:dismissed_who)[1] as who,
         timestamptz 'epoch' + (:dismissed_due)[1] * interval '1 microsecond' as due
   where cardinality(:dismissed_n) > 0
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
)
select 1 / cast(
         (select count(*) from moved_instance)
         + (select count(*) from closed_bookmark)
         + (select count(*) from ended_activity)
         + (select count(*) from dismissed_candidate)
         = coalesce(sum(touches), 0) as int) as whole,
       array_agg(n) as passed
  from ok
