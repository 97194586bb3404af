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
spend as (
  select unnest(:spend_n) as n,
         unnest(:spend_tag) as tag,
         unnest(:spend_guard) as guard,
         unnest(:spend_fence) as fence,
         unnest(:spend_state) as state,
         unnest(:spend_closed_by) as closed_by,
         timestamptz 'epoch' + unnest(:spend_closed_at) * interval '1 microsecond' as closed_at
),
receipt as (
  select unnest(:receipt_n) as n,
         unnest(:receipt_tenant) as tenant,
         unnest(:receipt_source) as source,
         unnest(:receipt_id) as id,
         unnest(:receipt_version) as version
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
admitted as (
  select *
    from (
      select * from current
    ) standing
),
locked_bookmark as materialized (
  select u.n, u.tag, u.state, u.closed_by, u.closed_at, b.place
    from (
      select spend.*, admitted.id
        from admitted
        join spend using (n)
       order by admitted.id, spend.tag
      offset 0
    ) u
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
),
locked_message as materialized (
  select u.n, u.version, u.addressee, u.source = 'instance' as from_a_step, m.place
    from (
      select receipt.*, admitted.id as addressee
        from admitted
        join receipt using (n)
       order by receipt.tenant, receipt.source, receipt.id
      offset 0
    ) u
   cross join lateral (
     select m.ctid as place
       from wm_inbox m
      where m.tenant = u.tenant
        and m.source = u.source
        and m.id = u.id
        and (m.instance_id = u.addressee or m.correlation is not null)
        and m.state < 1
        for update skip locked
   ) m
),
ok as materialized (
  select admitted.*
    from admitted
    left join (
      select n, count(*) as locks
        from (select n from locked_bookmark union all select n from locked_message) locked
       group by n
    ) spent using (n)
   where coalesce(spent.locks, 0) = admitted.spends
     and exists (
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
     set state = spend.state,
         closed_by = spend.closed_by,
         closed_at = spend.closed_at,
         holder = null,
         lease_until = null
    from (
      select *
        from locked_bookmark
       where (n in (select n from ok)) is true
      offset 0
    ) spend
   where b.ctid = spend.place
     and spend.state > 0
  returning 1
),
spent_message as (
  update wm_inbox m
     set state = 1,
         spent_version = spent.version,
         instance_id = spent.addressee
    from (
      select *
        from locked_message
       where (n in (select n from ok)) is true
      offset 0
    ) spent
   where m.ctid = spent.place
     and not spent.from_a_step
  returning 1
),
dropped_message as (
  delete from wm_inbox m
   using (
     select *
       from locked_message
      where (n in (select n from ok)) is true
     offset 0
   ) spent
   where m.ctid = spent.place
     and spent.from_a_step
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
)
select 1 / cast(
         (select count(*) from moved_instance)
         + (select count(*) from closed_bookmark)
         + (select count(*) from spent_message)
         + (select count(*) from dropped_message)
         + (select count(*) from ended_activity)
         = coalesce(sum(touches), 0) as int) as whole,
       array_agg(n) as passed
  from ok
