package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I12;
import static dev.waymark.engine.store.Invariant.I5;
import static dev.waymark.engine.store.Invariant.I7;

import java.util.List;

/**
 * Rules for live visits: each can go on by itself, or a person is asked to help. State 4 is KEPT:
 * the visit is completed and only remembered, so the run does not stand at it.
 */
final class VisitRules {

  private static final String SOMETHING_LIVES =
      """
      select i.id as instance_id,
             'instance' as item,
             'not ended, but it stands nowhere' as detail
        from wm_instance i
       where i.status in (0, 1)
         and not exists (select 1 from wm_activity_instance a
                          where a.instance_id = i.id
                            and a.state <> 4)
       limit :limit
      """;

  private static final String NOTHING_RUNS =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'runs, at attempt ' || a.attempt as detail
        from wm_activity_instance a
       where a.state = 1
       limit :limit
      """;

  // A dead node's work is taken over, so only a node that has been gone for long strands it.
  private static final String RUNNING_ON_A_NODE =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'runs on a node that is long gone, at attempt ' || a.attempt as detail
        from wm_activity_instance a
       where a.state = 1
         and not exists (select 1 from wm_node n where n.id = a.node and n.valid_until >= :overdue)
       limit :limit
      """;

  private static final String READY_IS_DUE_OR_HELD =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'ready and held back, but its instance is not suspended' as detail
        from wm_activity_instance a
        join wm_instance i on i.id = a.instance_id
       where a.state = 0
         and a.due is null
         and i.status = 0
       limit :limit
      """;

  // A fork waits for its branches, and a join for siblings that can still come. A visit that waits
  // for neither and has no open bookmark is idle, and an idle one cannot wait for another idle one.
  private static final String WAITING_FOR_SOMETHING =
      """
      with idle as (
        select a.instance_id, a.visit, a.parent
          from wm_activity_instance a
         where a.state = 2
           and not exists (select 1 from wm_bookmark b
                            where b.instance_id = a.instance_id
                              and b.visit = a.visit
                              and b.state = 0)
           and not exists (select 1 from wm_activity_instance branch
                            where branch.instance_id = a.instance_id
                              and branch.parent = a.visit
                              and branch.state <> 4)
      )
      select idle.instance_id,
             'visit ' || idle.visit as item,
             'waits, but for no bookmark, no branch and no sibling' as detail
        from idle
        join wm_instance i on i.id = idle.instance_id
       where i.status in (0, 1)
         and not exists (select 1 from wm_activity_instance sibling
                          where sibling.instance_id = idle.instance_id
                            and sibling.parent = idle.parent
                            and sibling.visit <> idle.visit
                            and sibling.state <> 4
                            and not exists (select 1 from idle other
                                             where other.instance_id = sibling.instance_id
                                               and other.visit = sibling.visit))
       limit :limit
      """;

  // Kind 3 is MANUAL_INTERVENTION.
  private static final String PARKED_ASKS_FOR_HELP =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'parked, but without an open intervention' as detail
        from wm_activity_instance a
        join wm_instance i on i.id = a.instance_id
       where a.state = 3
         and i.status in (0, 1)
         and not exists (select 1 from wm_bookmark b
                          where b.instance_id = a.instance_id
                            and b.visit = a.visit
                            and b.kind = 3
                            and b.state = 0)
       limit :limit
      """;

  private static final String NOTHING_IS_LEASED =
      """
      select b.instance_id,
             'bookmark ' || b.tag as item,
             'leased to ' || b.holder || ' with fence ' || b.fence as detail
        from wm_bookmark b
       where b.state = 0
         and b.holder is not null
         and b.lease_until > :now
       limit :limit
      """;

  private static final String LIVE_ATTEMPT_IS_THE_LAST =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'at attempt ' || a.attempt || ', but history knows attempt '
               || max(h.attempt) as detail
        from wm_activity_instance a
        join wm_history h on h.instance_id = a.instance_id and h.visit = a.visit
       group by a.instance_id, a.visit, a.attempt
      having max(h.attempt) > a.attempt
       limit :limit
      """;

  private static final String LIVE_HAS_NOT_ENDED =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'lives, but ended at version ' || max(h.version) as detail
        from wm_activity_instance a
        join wm_history h on h.instance_id = a.instance_id and h.visit = a.visit
       where h.type in (7, 12)
         and a.state <> 4
       group by a.instance_id, a.visit
       limit :limit
      """;

  private static final String CRASHES_ARE_BOUNDED =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             a.crashes || ' crashes, but it is not parked' as detail
        from wm_activity_instance a
       where a.crashes >= :crashes
         and a.state not in (3, 4)
       limit :limit
      """;

  private static final String FAILURES_ARE_BOUNDED =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             a.failures || ' failures, but it is not parked' as detail
        from wm_activity_instance a
       where a.failures >= :failures
         and a.state not in (3, 4)
       limit :limit
      """;

  private static final String PARKED_WITH_A_REASON =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             case when a.fault is null
                  then 'parked without a reason'
                  else 'parked, but its instance is not suspended' end as detail
        from wm_activity_instance a
        join wm_instance i on i.id = a.instance_id
       where a.state = 3
         and (a.fault is null or i.status = 0)
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I5, SOMETHING_LIVES),
          Rule.quiescent(I5, NOTHING_RUNS),
          Rule.live(I5, RUNNING_ON_A_NODE),
          Rule.always(I5, READY_IS_DUE_OR_HELD),
          Rule.always(I5, WAITING_FOR_SOMETHING),
          Rule.always(I5, PARKED_ASKS_FOR_HELP),
          Rule.quiescent(I5, NOTHING_IS_LEASED),
          Rule.always(I7, LIVE_ATTEMPT_IS_THE_LAST),
          Rule.always(I7, LIVE_HAS_NOT_ENDED),
          Rule.always(I12, CRASHES_ARE_BOUNDED),
          Rule.always(I12, FAILURES_ARE_BOUNDED),
          Rule.always(I12, PARKED_WITH_A_REASON));

  private VisitRules() {}
}
