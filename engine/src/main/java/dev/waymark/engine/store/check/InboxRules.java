package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I10;

import java.util.List;

/**
 * Rules for messages: each is spent once, by a step that could; and none that could be spent is
 * left lying.
 */
final class InboxRules {

  // Kind 2 is EXTERNAL_MESSAGE, type 15 BOOKMARK_CONSUMED. A step spends a message from outside
  // together with a bookmark, which the archive may have forgotten since; unless it only reports
  // how things stand, or begins the run.
  private static final String SPENT_WITH_A_BOOKMARK =
      """
      with
      wait as (
        select instance_id, tag, kind from wm_bookmark
        union all
        select instance_id, tag, kind from wm_bookmark_archive
      ),
      spent as (
        select m.instance_id, m.spent_version, count(*) as messages,
               (select count(*)
                  from wm_history h
                  join wait w on w.instance_id = h.instance_id and w.tag = h.bookmark
                 where h.instance_id = m.instance_id
                   and h.version = m.spent_version
                   and h.type = 15
                   and w.kind = 2) as waits
          from wm_inbox m
         where m.state = 1
           and m.instance_id is not null
           and m.source <> '$report'
           and (m.correlation is null or m.spent_version > 1)
         group by m.instance_id, m.spent_version
      )
      select s.instance_id,
             'version ' || s.spent_version as item,
             s.messages || ' messages spent, but ' || s.waits || ' message bookmarks' as detail
        from spent s
       where s.messages > s.waits
         and not exists (select 1
                           from wm_history h
                           join wm_chore c on c.name = 'bookmarks' and h.at < c.forgotten
                          where h.instance_id = s.instance_id
                            and h.version = s.spent_version)
       limit :limit
      """;

  // Type 32 is WAIT_REPORTED.
  private static final String REPORTS_ARE_IN_HISTORY =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'a report that version ' || m.spent_version || ' spent, but did not tell' as detail
        from wm_inbox m
       where m.state = 1
         and m.source = '$report'
         and not exists (select 1 from wm_history h
                          where h.instance_id = m.instance_id
                            and h.version = m.spent_version
                            and h.type = 32)
       limit :limit
      """;

  private static final String BEGINNINGS_ARE_WANTED =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'began a run, but no definition begins with ' || m.name as detail
        from wm_inbox m
        join wm_instance i on i.id = m.instance_id
       where m.state = 1
         and m.correlation is not null
         and m.spent_version = 1
         and not exists (select 1 from wm_definition d
                          where d.tenant = i.tenant
                            and d.starts like '%"' || m.name || '"%')
       limit :limit
      """;

  private static final String A_RUN_BEGINS_WITH_ONE_MESSAGE =
      """
      select m.instance_id,
             'version 1' as item,
             count(*) || ' messages began it' as detail
        from wm_inbox m
       where m.state = 1
         and m.correlation is not null
         and m.spent_version = 1
       group by m.instance_id
      having count(*) > 1
       limit :limit
      """;

  // SQL cannot tell whether a match or an input schema refuses it.
  private static final String FREE_MESSAGES_BEGIN_RUNS =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'waits, although ' || d.key || ' version ' || d.version || ' begins with '
               || m.name as detail
        from wm_inbox m
        join wm_definition d
          on d.tenant = m.tenant and d.starts like '%"' || m.name || '"%'
       where m.state = 0
         and m.received < :overdue
         and m.correlation is not null
         and (m.expires is null or m.expires > :overdue)
         and d.activated < :overdue
         and d.retired is null
         and d.source not like '%match%'
         and d.source not like '%input%'
         and not exists (select 1
                           from wm_definition newer
                          where newer.tenant = d.tenant
                            and newer.key = d.key
                            and newer.retired is null
                            and (newer.activated, newer.version) > (d.activated, d.version))
         and not exists (select 1
                           from wm_bookmark w
                          where w.tenant = m.tenant
                            and w.correlation = m.correlation
                            and w.key = m.name
                            and w.state = 0
                            and w.kind = 2)
       limit :limit
      """;

  // Only its own step sends it, and once, so it is removed by the step that spends it.
  private static final String A_STEPS_MESSAGE_IS_NOT_KEPT =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             m.name || ' was sent by a step and spent, but is still there' as detail
        from wm_inbox m
       where m.state = 1
         and m.source = 'instance'
         and m.instance_id is not null
       limit :limit
      """;

  // A suspended instance may be held, and then no messages are delivered to it. A signal is only
  // for waits that were open when it was sent. A guard or a match may refuse a message, which then
  // stays; SQL cannot tell whether it does.
  private static final String MESSAGES_FIND_THEIR_BOOKMARK =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'waits, although bookmark ' || b.tag || ' is open for it' as detail
        from wm_inbox m
        join wm_instance i on i.id = m.instance_id
        join wm_bookmark b on b.instance_id = m.instance_id and b.key = m.name
       where m.state = 0
         and m.received < :overdue
         and i.status = 0
         and b.state = 0
         and b.kind = 2
         and b.created < :overdue
         and (m.name not like '$signal:%' or b.created <= m.received)
         and not exists (select 1 from wm_definition d
                          where d.id = i.definition_id
                            and (d.source like '%guard%' or d.source like '%match%'))
       limit :limit
      """;

  private static final String CORRELATED_MESSAGES_FIND_THEIR_BOOKMARK =
      """
      select b.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'waits for key ' || m.correlation || ', although bookmark ' || b.tag
               || ' is open for it' as detail
        from wm_inbox m
        join wm_bookmark b
          on b.tenant = m.tenant and b.correlation = m.correlation and b.key = m.name
        join wm_instance i on i.id = b.instance_id
       where m.state = 0
         and m.received < :overdue
         and m.correlation is not null
         and (m.expires is null or m.expires > :overdue)
         and i.status = 0
         and b.state = 0
         and b.kind = 2
         and b.created < :overdue
         and not exists (select 1 from wm_definition d
                          where d.id = i.definition_id
                            and (d.source like '%guard%' or d.source like '%match%'))
       limit :limit
      """;

  private static final String REQUESTS_ARE_GRANTED =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'asks for a child, but nobody starts it' as detail
        from wm_inbox m
       where m.state = 0
         and m.name = '$start'
         and m.received < :overdue
         and not exists (select 1 from wm_instance i where i.id = m.instance_id)
       limit :limit
      """;

  private static final String CANCELLATIONS_ARRIVE =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'cancels an instance with status ' || i.status || ', but nobody delivers it' as detail
        from wm_inbox m
        join wm_instance i on i.id = m.instance_id
       where m.state = 0
         and m.name = '$cancel'
         and m.received < :overdue
         and i.status < 2
         and i.created < :overdue
       limit :limit
      """;

  private static final String BROADCASTS_GO_OUT =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'a broadcast, but nobody hands it out' as detail
        from wm_inbox m
       where m.instance_id is null
         and m.correlation is null
         and m.state = 0
         and m.received < :overdue
       limit :limit
      """;

  // A page and how far its broadcast has come are one transaction, so they cannot disagree.
  private static final String SIGNALS_COME_FROM_A_BROADCAST =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'a signal ' || m.name || ' that no broadcast has handed out' as detail
        from wm_inbox m
       where m.source = '$signal'
         and not exists (select 1 from wm_inbox broadcast
                          where broadcast.instance_id is null
                            and broadcast.tenant = m.tenant
                            and broadcast.name = m.name
                            and broadcast.received = m.received
                            and (broadcast.state = 1 or m.instance_id <= broadcast.reached))
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I10, SPENT_WITH_A_BOOKMARK),
          Rule.always(I10, REPORTS_ARE_IN_HISTORY),
          Rule.always(I10, BEGINNINGS_ARE_WANTED),
          Rule.always(I10, A_RUN_BEGINS_WITH_ONE_MESSAGE),
          Rule.always(I10, FREE_MESSAGES_BEGIN_RUNS),
          Rule.always(I10, A_STEPS_MESSAGE_IS_NOT_KEPT),
          Rule.always(I10, MESSAGES_FIND_THEIR_BOOKMARK),
          Rule.always(I10, CORRELATED_MESSAGES_FIND_THEIR_BOOKMARK),
          Rule.always(I10, REQUESTS_ARE_GRANTED),
          Rule.always(I10, CANCELLATIONS_ARRIVE),
          Rule.always(I10, BROADCASTS_GO_OUT),
          Rule.always(I10, SIGNALS_COME_FROM_A_BROADCAST));

  private InboxRules() {}
}
