package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I13;

import java.util.List;

/** Rules on which the instance's row and its history must agree, as far as SQL can see. */
final class StateRules {

  private static final String VERSION_IS_THE_LAST =
      """
      select i.id as instance_id,
             'instance' as item,
             'at version ' || i.version || ', but history ends at '
               || coalesce(max(h.version), 0) as detail
        from wm_instance i
        left join wm_history h on h.instance_id = i.id
       group by i.id, i.version
      having i.version <> coalesce(max(h.version), 0)
       limit :limit
      """;

  // Status 2, 3 and 4 are told by entries of type 1, 2 and 3.
  private static final String STATUS_IS_TOLD =
      """
      select i.id as instance_id,
             'instance' as item,
             'status ' || i.status || ' is not what history ends with' as detail
        from wm_instance i
       where (i.status >= 2
              and not exists (select 1 from wm_history h
                               where h.instance_id = i.id and h.type = i.status - 1))
          or (i.status < 2
              and exists (select 1 from wm_history h
                           where h.instance_id = i.id and h.type in (1, 2, 3)))
       limit :limit
      """;

  private static final String TIMES_ARE_TOLD =
      """
      select i.id as instance_id,
             'instance' as item,
             'created, updated or ended at another time than version ' || h.version
               || ' says' as detail
        from wm_instance i
        join wm_history h on h.instance_id = i.id
       where (h.version = 1 and h.ordinal = 0 and h.at <> i.created)
          or (h.version = i.version and h.ordinal = 0 and h.at <> i.updated)
          or (h.type in (1, 2, 3) and h.at <> i.ended)
       limit :limit
      """;

  // A number that was given out twice would give two visits the same idempotency keys.
  private static final String VISITS_WERE_GIVEN_OUT =
      """
      select i.id as instance_id,
             'visit ' || a.visit as item,
             'lives, but only ' || i.visits || ' were given out' as detail
        from wm_instance i
        join wm_activity_instance a on a.instance_id = i.id
       where a.visit > i.visits
      union all
      select i.id, 'visit ' || max(h.visit), 'in history, but only ' || i.visits || ' were given out'
        from wm_instance i
        join wm_history h on h.instance_id = i.id
       group by i.id, i.visits
      having max(h.visit) > i.visits
       limit :limit
      """;

  // The first entry of a step carries its changes; a replay of the state reads only the first
  // entries.
  private static final String CHANGES_COME_FIRST =
      """
      select h.instance_id,
             'version ' || h.version as item,
             'changes or a full copy at ordinal ' || h.ordinal as detail
        from wm_history h
       where h.ordinal > 0
         and (h.changes is not null or h.snapshot is not null)
       limit :limit
      """;

  private static final String FULL_COPIES_ARE_THERE =
      """
      select h.instance_id,
             'version ' || h.version as item,
             'without the full copy that this version carries' as detail
        from wm_history h
       where h.ordinal = 0
         and h.version % :copy_every = 0
         and h.snapshot is null
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I13, VERSION_IS_THE_LAST),
          Rule.always(I13, STATUS_IS_TOLD),
          Rule.always(I13, TIMES_ARE_TOLD),
          Rule.always(I13, VISITS_WERE_GIVEN_OUT),
          Rule.always(I13, CHANGES_COME_FIRST),
          Rule.always(I13, FULL_COPIES_ARE_THERE));

  private StateRules() {}
}
