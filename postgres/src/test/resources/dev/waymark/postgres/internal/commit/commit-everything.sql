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
child as (
  select unnest(:child_n) as n,
         unnest(:child_parent_id) as parent_id,
         unnest(:child_parent_visit) as parent_visit,
         unnest(:child_parent_reports) as parent_reports
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
changed as (
  select unnest(:changed_n) as n,
         unnest(:changed_visit) as visit,
         unnest(:changed_activity) as activity,
         unnest(:changed_parent) as parent,
         unnest(:changed_state) as state,
         unnest(:changed_attempt) as attempt,
         unnest(:changed_failures) as failures,
         unnest(:changed_crashes) as crashes,
         unnest(:changed_node) as node,
         timestamptz 'epoch' + unnest(:changed_due) * interval '1 microsecond' as due,
         timestamptz 'epoch' + unnest(:changed_entered) * interval '1 microsecond' as entered,
         unnest(:changed_data) as data,
         unnest(:changed_fault) as fault
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
amend as (
  select unnest(:amend_n) as n,
         unnest(:amend_tag) as tag,
         unnest(:amend_payload) as payload,
         timestamptz 'epoch' + unnest(:amend_due) * interval '1 microsecond' as due,
         unnest(:amend_priority) as priority,
         unnest(:amend_correlation) as correlation,
         timestamptz 'epoch' + unnest(:amend_expires) * interval '1 microsecond' as expires,
         unnest(:amend_terms) as terms,
         unnest(:amend_audience) as audience,
         unnest(:amend_released) as released
),
named as (
  select unnest(:named_n) as n,
         unnest(:named_tag) as tag,
         unnest(:named_who) as who,
         timestamptz 'epoch' + unnest(:named_due) * interval '1 microsecond' as due
),
dismissed as (
  select unnest(:dismissed_n) as n,
         unnest(:dismissed_tag) as tag,
         unnest(:dismissed_who) as who,
         timestamptz 'epoch' + unnest(:dismissed_due) * interval '1 microsecond' as due
),
labelled as (
  select unnest(:labelled_n) as n
),
label as materialized (
  select unnest(:label_n) as n,
         unnest(:label_name) as name,
         unnest(:label_value) as value
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
message as (
  select unnest(:message_n) as n,
         unnest(:message_tenant) as tenant,
         unnest(:message_source) as source,
         unnest(:message_id) as id,
         unnest(:message_addressee) as addressee,
         unnest(:message_name) as name,
         unnest(:message_payload) as payload,
         unnest(:message_sender) as sender,
         timestamptz 'epoch' + unnest(:message_received) * interval '1 microsecond' as received
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
payload as (
  select unnest(:payload_n) as n,
         unnest(:payload_hash) as hash
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
amended_bookmark as (
  update wm_bookmark b
     set payload = amend.payload,
         due = amend.due,
         priority = amend.priority,
         correlation = amend.correlation,
         expires = amend.expires,
         terms = amend.terms,
         audience = amend.audience,
         stage = case when amend.released or b.stage = 2 then 0 else b.stage end,
         extensions = case when amend.released then 0 else b.extensions end,
         holder = case when amend.released or b.stage = 2 then null else b.holder end,
         lease_until = case
           when amend.released or b.stage = 2 then null
           else b.lease_until
         end
    from (
      select amend.*, locked_bookmark.place
        from locked_bookmark
        join amend using (n, tag)
       where (n in (select n from ok)) is true
      offset 0
    ) amend
   where b.ctid = amend.place
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
named_candidate as (
  insert into wm_candidate (instance_id, tag, who, due, tenant)
  select ok.id, named.tag, named.who, coalesce(named.due, timestamptz 'infinity'), ok.tenant
    from ok
    join named using (n)
),
dropped_label as (
  delete from wm_label l
   using ok
    join labelled using (n)
   where l.instance_id = ok.id
     and not exists (select 1 from label where label.n = ok.n and label.name = l.name)
),
kept_label as (
  insert into wm_label (instance_id, name, value, tenant)
  select ok.id, label.name, label.value, ok.tenant
    from ok
    join label using (n)
  on conflict (instance_id, name) do update set value = excluded.value
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
),
used_payload as (
  insert into wm_payload_use (instance_id, tenant, hash)
  select used.id, used.tenant, used.hash
    from (
      select ok.id, ok.tenant, payload.hash
        from ok
        join payload using (n)
      offset 0
    ) used
   where (select p.hash
            from wm_payload p
           where p.tenant = used.tenant
             and p.hash = used.hash) is not null
     and (select u.hash
            from wm_payload_use u
           where u.instance_id = used.id
             and u.hash = used.hash) is null
)
select 1 / cast(
         (select count(*) from started_instance)
         + (select count(*) from moved_instance)
         + (select count(*) from closed_bookmark)
         + (select count(*) from spent_message)
         + (select count(*) from dropped_message)
         + (select count(*) from ended_activity)
         + (select count(*) from changed_activity)
         + (select count(*) from amended_bookmark)
         + (select count(*) from dismissed_candidate)
         + (select count(*) from freed_key)
         = coalesce(sum(touches), 0) as int) as whole,
       array_agg(n) as passed
  from ok
