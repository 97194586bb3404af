package dev.waymark.postgres.internal.commit;

/**
 * The writes of the commit statement. Each joins {@code ok}, so none writes for a stopped unit.
 *
 * <p>Rows that only a step of their instance may change are found by their place ({@code ctid}):
 * the lock on the instance holds them there. Bookmarks and messages, which claims and receipts
 * move, are found at the place where they were locked.
 *
 * <p>A locked row is kept if its unit is among those that passed. For a join, the planner, which
 * expects few of both, would compare each with each; {@code in … is true} makes it a look into a
 * hash.
 */
final class CommitWrites {

  static final String INSTANCE_STARTED =
      """
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
      )\
      """;

  /** Apart from the plain start, which is the busiest statement and need not carry more nulls. */
  static final String INSTANCE_OR_CHILD_STARTED =
      """
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
      )\
      """;

  /**
   * An absent document stays as it is, and where it is: its pointer is kept, not its text copied.
   * It is that of version {@code variables_at} if a step since has changed the variables.
   */
  static final String INSTANCE_MOVED =
      """
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
      )\
      """;

  static final String BOOKMARK_CLOSED =
      """
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
      )\
      """;

  static final String BOOKMARK_AMENDED =
      """
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
      )\
      """;

  static final String CANDIDATES_DISMISSED =
      """
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
      )\
      """;

  static final String CANDIDATES_NAMED =
      """
      named_candidate as (
        insert into wm_candidate (instance_id, tag, who, due, tenant)
        select ok.id, named.tag, named.who, coalesce(named.due, timestamptz 'infinity'), ok.tenant
          from ok
          join named using (n)
      )\
      """;

  // A spent message stays so that a duplicate is known. A message that a step has sent comes from
  // that step alone, so no duplicate of it can come: its row is removed, which writes no second row
  // and no index entry.
  static final String MESSAGE_SPENT =
      """
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
      )\
      """;

  static final String ACTIVITY_ENDED =
      """
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
      )\
      """;

  static final String ACTIVITY_CHANGED =
      """
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
      )\
      """;

  static final String ACTIVITY_BEGUN =
      """
      begun_activity as (
        insert into wm_activity_instance (
          instance_id, visit, activity, parent, state, attempt, failures, crashes,
          node, due, entered, data, fault)
        select ok.id, begun.visit, begun.activity, begun.parent, begun.state, begun.attempt,
               begun.failures, begun.crashes, begun.node, begun.due, begun.entered, begun.data,
               begun.fault
          from ok
          join begun using (n)
      )\
      """;

  static final String BOOKMARK_CREATED =
      """
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
      )\
      """;

  /** Two writes, since one statement cannot delete a row and insert it again. */
  static final String LABELS_REPLACED =
      """
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
      )\
      """;

  static final String HISTORY =
      """
      written_entry as (
        insert into wm_history (
          instance_id, version, ordinal, type, activity, visit, attempt, node, bookmark,
          actor, command_id, at, duration_us, events, changes, detail, snapshot)
        select ok.id, entry.version, entry.ordinal, entry.type, entry.activity, entry.visit,
               entry.attempt, entry.node, entry.bookmark, entry.actor, entry.command_id, entry.at,
               entry.duration_us, entry.events, entry.changes, entry.detail, entry.snapshot
          from ok
          join entry using (n)
      )\
      """;

  /** Sorted, so that ids rise within an instance. */
  static final String EVENTS =
      """
      written_event as (
        insert into wm_outbox (lane, sink, event_id, instance_id, version, ordinal, type, data)
        select event.lane, event.sink, event.event_id, ok.id, event.version, event.ordinal,
               event.type, event.data
          from ok
          join event using (n)
         order by event.n, event.version, event.ordinal
      )\
      """;

  // A message that is there already is the same message: its id derives from the step. It is looked
  // for after the join; before it, every unit would look for the messages of all.
  static final String MESSAGES_SENT =
      """
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
      )\
      """;

  static final String COMMANDS =
      """
      remembered_command as (
        insert into wm_command (tenant, scope, id, fingerprint, instance_id, version, at)
        select ok.tenant, command.scope, command.id, command.fingerprint, ok.id, command.version,
               command.at
          from ok
          join command using (n)
         order by ok.tenant, command.scope, command.id
      )\
      """;

  static final String KEYS_FREED =
      """
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
      )\
      """;

  // A run that ends in its first step needs its key to be free, and does not hold it.
  static final String KEYS_TAKEN =
      """
      taken_key as (
        insert into wm_key (tenant, kind, key, instance_id)
        select ok.tenant, taken.kind, taken.key, ok.id
          from ok
          join taken using (n)
         where ok.status < 2
         order by ok.tenant, taken.kind, taken.key
      )\
      """;

  // Only a step of the instance writes these rows, and the lock on the instance lets through one at
  // a time: so a row that is not seen is not there. A reference that an expression has made out of
  // nothing names no payload, and gets no row.
  static final String PAYLOADS_USED =
      """
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
      )\
      """;

  private CommitWrites() {}
}
