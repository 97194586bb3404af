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
child as (
  select 1 as n,
         (:child_parent_id)[1] as parent_id,
         (:child_parent_visit)[1] as parent_visit,
         (:child_parent_reports)[1] as parent_reports
   where cardinality(:child_n) > 0
),
spend as (
  select 1 as n,
         (:spend_tag)[1] as tag,
         (:spend_guard)[1] as guard,
         (:spend_fence)[1] as fence,
         (:spend_state)[1] as state,
         (:spend_closed_by)[1] as closed_by,
         timestamptz 'epoch' + (:spend_closed_at)[1] * interval '1 microsecond' as closed_at
   where cardinality(:spend_n) > 0
),
receipt as (
  select 1 as n,
         (:receipt_tenant)[1] as tenant,
         (:receipt_source)[1] as source,
         (:receipt_id)[1] as id,
         (:receipt_version)[1] as version
   where cardinality(:receipt_n) > 0
),
ended as (
  select 1 as n,
         (:ended_visit)[1] as visit
   where cardinality(:ended_n) > 0
),
changed as (
  select 1 as n,
         (:changed_visit)[1] as visit,
         (:changed_activity)[1] as activity,
         (:changed_parent)[1] as parent,
         (:changed_state)[1] as state,
         (:changed_attempt)[1] as attempt,
         (:changed_failures)[1] as failures,
         (:changed_crashes)[1] as crashes,
         (:changed_node)[1] as node,
         timestamptz 'epoch' + (:changed_due)[1] * interval '1 microsecond' as due,
         timestamptz 'epoch' + (:changed_entered)[1] * interval '1 microsecond' as entered,
         (:changed_data)[1] as data,
         (:changed_fault)[1] as fault
   where cardinality(:changed_n) > 0
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
bookmark as (
  select 1 as n,
         (:bookmark_tag)[1] as tag,
         (:bookmark_visit)[1] as visit,
         (:bookmark_kind)[1] as kind,
         (:bookmark_key)[1] as key,
         (:bookmark_payload)[1] as payload,
         timestamptz 'epoch' + (:bookmark_due)[1] * interval '1 microsecond' as due,
         (:bookmark_state)[1] as state,
         (:bookmark_holder)[1] as holder,
         timestamptz 'epoch' + (:bookmark_lease_until)[1] * interval '1 microsecond' as lease_until,
         (:bookmark_fence)[1] as fence,
         timestamptz 'epoch' + (:bookmark_created)[1] * interval '1 microsecond' as created,
         (:bookmark_closed_by)[1] as closed_by,
         timestamptz 'epoch' + (:bookmark_closed_at)[1] * interval '1 microsecond' as closed_at,
         (:bookmark_priority)[1] as priority,
         (:bookmark_correlation)[1] as correlation,
         timestamptz 'epoch' + (:bookmark_expires)[1] * interval '1 microsecond' as expires,
         (:bookmark_terms)[1] as terms,
         (:bookmark_audience)[1] as audience
   where cardinality(:bookmark_n) > 0
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
message as (
  select 1 as n,
         (:message_tenant)[1] as tenant,
         (:message_source)[1] as source,
         (:message_id)[1] as id,
         (:message_addressee)[1] as addressee,
         (:message_name)[1] as name,
         (:message_payload)[1] as payload,
         (:message_sender)[1] as sender,
         timestamptz 'epoch' + (:message_received)[1] * interval '1 microsecond' as received
   where cardinality(:message_n) > 0
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
started_instance as (
  insert into wm_instance (
    id, tenant, definition_id, version, status, visits, variables, extra,
    business_key, correlation_id, trace_parent, created, updated, ended,
    parent_id, parent_visit, parent_reports)
  select ok.id, ok.tenant, ok.definition, ok.version, ok.status, ok.visits, ok.variables,
         ok.extra, start.business_key, start.correlation_id, start.trace_parent,
         start.created, ok.updated, ok.ended,
         child.parent_id, child.parent_visit, child.parent_reports
    from ok
    join start using (n)
    left join child using (n)
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
changed_activity as (
  update wm_activity_instance a
     set activity = changed.activity,
         parent = changed.parent,
         state = changed.state,
         attempt = changed.attempt,
         failures = changed.failures,
         crashes = changed.crashes,
         node = changed.node,
         due = changed.due,
         entered = changed.entered,
         data = changed.data,
         fault = changed.fault
    from (
      select changed.*, found.place
        from ok
        join changed using (n)
       cross join lateral (
         select live.ctid as place
           from wm_activity_instance live
          where live.instance_id = ok.id
            and live.visit = changed.visit
         offset 0
       ) found
      offset 0
    ) changed
   where a.ctid = changed.place
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
written_event as (
  insert into wm_outbox (lane, sink, event_id, instance_id, version, ordinal, type, data)
  select event.lane, event.sink, event.event_id, ok.id, event.version, event.ordinal,
         event.type, event.data
    from ok
    join event using (n)
   order by event.n, event.version, event.ordinal
),
sent_message as (
  insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received)
  select sent.tenant, sent.source, sent.id, sent.addressee, sent.name, sent.payload,
         sent.sender, sent.received
    from (
      select message.*
        from ok
        join message using (n)
      offset 0
    ) sent
   where (select m.id
            from wm_inbox m
           where m.tenant = sent.tenant
             and m.source = sent.source
             and m.id = sent.id) is null
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
         + (select count(*) from closed_bookmark)
         + (select count(*) from spent_message)
         + (select count(*) from dropped_message)
         + (select count(*) from ended_activity)
         + (select count(*) from changed_activity)
         + (select count(*) from dismissed_candidate)
         + (select count(*) from freed_key)
         = coalesce(sum(touches), 0) as int) as whole,
       array_agg(n) as passed
  from ok
