package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I11;
import static dev.waymark.engine.store.Invariant.I8;
import static dev.waymark.engine.store.Invariant.I9;

import java.util.List;

/** Rules for what comes in and goes out: events, commands and time. */
final class TrafficRules {

  private static final String DEAD_HAS_SPENT_ITS_BUDGET =
      """
      select o.instance_id,
             'event ' || o.id as item,
             'dead after ' || o.attempts || ' attempts' as detail
        from wm_outbox o
       where o.state = 2
         and (o.attempts < :deliveries or o.error is null)
       limit :limit
      """;

  private static final String LANE_EXISTS =
      """
      select o.instance_id,
             'event ' || o.id as item,
             'in lane ' || o.lane || ', which nobody can hold' as detail
        from wm_outbox o
       where not exists (select 1 from wm_lane l where l.lane = o.lane)
       limit :limit
      """;

  // Order is kept within a lane only.
  private static final String ONE_LANE_FOR_EACH_INSTANCE =
      """
      select o.instance_id,
             'events' as item,
             'in ' || count(distinct o.lane) || ' lanes' as detail
        from wm_outbox o
       group by o.instance_id
      having count(distinct o.lane) > 1
       limit :limit
      """;

  private static final String EVENTS_ARE_IN_ORDER =
      """
      select o.instance_id,
             'event ' || o.id as item,
             'of version ' || o.version || ', behind one of version '
               || o.earlier_version as detail
        from (select instance_id, id, version, ordinal,
                     lag(version) over same_stream as earlier_version,
                     lag(ordinal) over same_stream as earlier_ordinal
                from wm_outbox
              window same_stream as (partition by instance_id, sink order by id)) o
       where o.version < o.earlier_version
          or (o.version = o.earlier_version and o.ordinal < o.earlier_ordinal)
       limit :limit
      """;

  // An event behind a parked event of its instance and sink waits with it.
  private static final String EVENTS_GO_OUT =
      """
      select o.instance_id,
             'event ' || o.id as item,
             case o.state when 0 then 'pending' else 'parked and due' end
               || ', but nobody delivers it' as detail
        from wm_outbox o
        join wm_history h
          on h.instance_id = o.instance_id and h.version = o.version and h.ordinal = o.ordinal
       where (o.state = 1 and o.due < :overdue)
          or (o.state = 0
              and h.at < :overdue
              and not exists (select 1 from wm_outbox ahead
                               where ahead.instance_id = o.instance_id
                                 and ahead.sink = o.sink
                                 and ahead.state = 1
                                 and ahead.id < o.id))
       limit :limit
      """;

  private static final String COMMAND_IS_IN_HISTORY =
      """
      select c.instance_id,
             'command ' || c.scope || ' ' || c.id as item,
             'not in history at version ' || c.version as detail
        from wm_command c
       where not exists (select 1 from wm_history h
                          where h.instance_id = c.instance_id
                            and h.version = c.version
                            and h.command_id = c.id)
       limit :limit
      """;

  private static final String NO_TIMER_IS_EARLY =
      """
      select b.instance_id,
             'bookmark ' || b.tag as item,
             'a timer that fired before it was due' as detail
        from wm_bookmark b
       where b.kind = 1
         and b.state = 1
         and b.closed_at < b.due
       limit :limit
      """;

  private static final String NO_TIMER_IS_LATE =
      """
      select b.instance_id,
             'bookmark ' || b.tag as item,
             'a timer that is overdue' as detail
        from wm_bookmark b
       where b.kind = 1
         and b.state = 0
         and b.due < :overdue
       limit :limit
      """;

  private static final String READY_IS_TAKEN =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'ready, but nobody takes it' as detail
        from wm_activity_instance a
       where a.due < :overdue
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I8, DEAD_HAS_SPENT_ITS_BUDGET),
          Rule.always(I8, LANE_EXISTS),
          Rule.always(I8, ONE_LANE_FOR_EACH_INSTANCE),
          Rule.always(I8, EVENTS_ARE_IN_ORDER),
          Rule.quiescent(I8, EVENTS_GO_OUT),
          Rule.always(I9, COMMAND_IS_IN_HISTORY),
          Rule.always(I11, NO_TIMER_IS_EARLY),
          Rule.always(I11, NO_TIMER_IS_LATE),
          Rule.always(I11, READY_IS_TAKEN));

  private TrafficRules() {}
}
