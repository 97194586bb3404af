package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I6;

import java.util.List;

/** Rules for an instance that has ended: status 2 completed, 3 failed or 4 cancelled. */
final class EndRules {

  private static final String NOTHING_LIVES =
      """
      select i.id as instance_id,
             'visit ' || a.visit as item,
             'lives in an instance that has ended with status ' || i.status as detail
        from wm_instance i
        join wm_activity_instance a on a.instance_id = i.id
       where i.status >= 2
       limit :limit
      """;

  private static final String NOTHING_IS_OPEN =
      """
      select i.id as instance_id,
             'bookmark ' || b.tag as item,
             'open in an instance that has ended with status ' || i.status as detail
        from wm_instance i
        join wm_bookmark b on b.instance_id = i.id
       where i.status >= 2
         and b.state = 0
       limit :limit
      """;

  private static final String KEYS_ARE_FREE =
      """
      select i.id as instance_id,
             'key ' || k.key as item,
             'held by an instance that has ended with status ' || i.status as detail
        from wm_instance i
        join wm_key k on k.instance_id = i.id
       where i.status >= 2
       limit :limit
      """;

  private static final String END_HAS_ITS_TIME =
      """
      select i.id as instance_id,
             'instance' as item,
             case when i.ended is null
                  then 'has ended, but not when'
                  else 'has an end, but status ' || i.status end as detail
        from wm_instance i
       where (i.status >= 2) <> (i.ended is not null)
       limit :limit
      """;

  // Types 1, 2 and 3 end an instance: completed, failed, cancelled.
  private static final String NOTHING_AFTER_THE_END =
      """
      select h.instance_id,
             'version ' || later.version as item,
             'entry of type ' || later.type || ', after the end at version '
               || h.version as detail
        from wm_history h
        join wm_history later
          on later.instance_id = h.instance_id
         and (later.version > h.version
              or (later.version = h.version and later.ordinal > h.ordinal))
       where h.type in (1, 2, 3)
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I6, NOTHING_LIVES),
          Rule.always(I6, NOTHING_IS_OPEN),
          Rule.always(I6, KEYS_ARE_FREE),
          Rule.always(I6, END_HAS_ITS_TIME),
          Rule.always(I6, NOTHING_AFTER_THE_END));

  private EndRules() {}
}
