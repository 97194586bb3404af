package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I11;
import static dev.waymark.engine.store.Invariant.I14;

import java.util.List;

/** Schedules: looked at in time, and of definitions that are there. */
final class ScheduleRules {

  private static final String NO_SCHEDULE_IS_LATE =
      """
      select cast(null as text) as instance_id,
             'schedule ' || s.name || ' of tenant ' || s.tenant as item,
             'due, but nobody looks at it' as detail
        from wm_schedule s
       where s.due < :overdue
       limit :limit
      """;

  // A worker that sleeps until the due time would sleep past the occurrence.
  private static final String NO_SCHEDULE_OVERSLEEPS =
      """
      select cast(null as text) as instance_id,
             'schedule ' || s.name || ' of tenant ' || s.tenant as item,
             'looked at after its next occurrence' as detail
        from wm_schedule s
       where s.due > s.next
       limit :limit
      """;

  private static final String SCHEDULE_HAS_DEFINITION =
      """
      select cast(null as text) as instance_id,
             'schedule ' || s.name || ' of tenant ' || s.tenant as item,
             'of definition ' || s.definition || ', which nobody deployed' as detail
        from wm_schedule s
       where not exists (select 1 from wm_definition d
                          where d.tenant = s.tenant
                            and d.key = s.definition)
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I11, NO_SCHEDULE_IS_LATE),
          Rule.always(I11, NO_SCHEDULE_OVERSLEEPS),
          Rule.always(I14, SCHEDULE_HAS_DEFINITION));

  private ScheduleRules() {}
}
