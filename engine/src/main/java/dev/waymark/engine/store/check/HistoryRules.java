package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I1;
import static dev.waymark.engine.store.Invariant.I2;
import static dev.waymark.engine.store.Invariant.I3;
import static dev.waymark.engine.store.Invariant.I7;

import java.util.List;

/** Rules for history alone: every step once, whole, and by one author. */
final class HistoryRules {

  // Type 15 is BOOKMARK_CONSUMED.
  private static final String CONSUMED_ONCE =
      """
      select b.instance_id,
             'bookmark ' || b.tag as item,
             'in state ' || b.state || ', but consumed ' || count(h.version)
               || ' times in history' as detail
        from (select instance_id, tag, state from wm_bookmark
              union all
              select instance_id, tag, state from wm_bookmark_archive) b
        left join wm_history h
          on h.instance_id = b.instance_id and h.bookmark = b.tag and h.type = 15
       group by b.instance_id, b.tag, b.state
      having count(h.version) <> case b.state when 1 then 1 else 0 end
       limit :limit
      """;

  // In the table or in the archive, unless it is so old that the archive may have forgotten it.
  private static final String CONSUMED_IS_STORED =
      """
      select h.instance_id,
             'version ' || h.version as item,
             'consumed a bookmark that visit ' || h.visit || ' never had' as detail
        from wm_history h
        left join wm_bookmark b
          on b.instance_id = h.instance_id and b.tag = h.bookmark and b.visit = h.visit
        left join wm_bookmark_archive a
          on a.instance_id = h.instance_id and a.tag = h.bookmark and a.visit = h.visit
       where h.type = 15
         and b.tag is null
         and a.tag is null
         and not exists (select 1 from wm_chore c
                          where c.name = 'bookmarks'
                            and h.at < c.forgotten)
       limit :limit
      """;

  private static final String ARCHIVED_IS_GONE_FROM_ITS_TABLE =
      """
      select a.instance_id,
             'bookmark ' || a.tag as item,
             'archived in state ' || a.state || ', but also still there in state '
               || b.state as detail
        from wm_bookmark_archive a
        join wm_bookmark b on b.instance_id = a.instance_id and b.tag = a.tag
       limit :limit
      """;

  private static final String VERSIONS_ARE_DENSE =
      """
      select h.instance_id,
             'history' as item,
             count(distinct h.version) || ' versions from ' || min(h.version)
               || ' to ' || max(h.version) as detail
        from wm_history h
       group by h.instance_id
      having min(h.version) <> 1
          or max(h.version) <> count(distinct h.version)
       limit :limit
      """;

  private static final String ORDINALS_ARE_DENSE =
      """
      select h.instance_id,
             'version ' || h.version as item,
             count(*) || ' entries from ' || min(h.ordinal) || ' to ' || max(h.ordinal) as detail
        from wm_history h
       group by h.instance_id, h.version
      having min(h.ordinal) <> 0
          or max(h.ordinal) + 1 <> count(*)
       limit :limit
      """;

  private static final String EVENT_HAS_ITS_ENTRY =
      """
      select o.instance_id,
             'event ' || o.id as item,
             'of version ' || o.version || ' and ordinal ' || o.ordinal
               || ', which history does not have' as detail
        from wm_outbox o
        left join wm_history h
          on h.instance_id = o.instance_id and h.version = o.version and h.ordinal = o.ordinal
       where h.version is null
       limit :limit
      """;

  // Delivered events are deleted, so fewer than declared is right.
  private static final String NO_MORE_EVENTS_THAN_DECLARED =
      """
      select o.instance_id,
             'version ' || o.version || ', ordinal ' || o.ordinal as item,
             h.events || ' events declared, but ' || count(*) || ' found' as detail
        from wm_outbox o
        join wm_history h
          on h.instance_id = o.instance_id and h.version = o.version and h.ordinal = o.ordinal
       group by o.instance_id, o.version, o.ordinal, h.events
      having count(*) > h.events
       limit :limit
      """;

  private static final String EVENT_ONCE_FOR_EACH_SINK =
      """
      select o.instance_id,
             'version ' || o.version || ', ordinal ' || o.ordinal as item,
             count(*) || ' rows for sink ' || o.sink as detail
        from wm_outbox o
       group by o.instance_id, o.version, o.ordinal, o.sink
      having count(*) > 1
       limit :limit
      """;

  private static final String ONE_AUTHOR =
      """
      select h.instance_id,
             'version ' || h.version as item,
             'one step, but ' || count(distinct h.command_id) || ' commands, '
               || count(distinct h.actor) || ' actors and ' || count(distinct h.at)
               || ' moments' as detail
        from wm_history h
       group by h.instance_id, h.version
      having count(distinct h.command_id) > 1
          or count(distinct h.actor) > 1
          or count(distinct h.at) > 1
       limit :limit
      """;

  private static final String ATTEMPTS_ONLY_GROW =
      """
      select h.instance_id,
             'visit ' || h.visit as item,
             'attempt ' || h.attempt || ' at version ' || h.version || ', after attempt '
               || h.earlier as detail
        from (select instance_id, visit, version, attempt,
                     lag(attempt) over (partition by instance_id, visit
                                            order by version, ordinal) as earlier
                from wm_history
               where visit > 0) h
       where h.attempt < h.earlier
       limit :limit
      """;

  // Types 7 to 11 are how an attempt ends; with a node it was a body that ended.
  private static final String ONE_RESULT_FOR_EACH_ATTEMPT =
      """
      select h.instance_id,
             'visit ' || h.visit as item,
             'attempt ' || h.attempt || ' has ' || count(*) || ' results, the last at version '
               || max(h.version) as detail
        from wm_history h
       where h.type between 7 and 11
         and h.node is not null
       group by h.instance_id, h.visit, h.attempt
      having count(*) > 1
       limit :limit
      """;

  // Types 7 and 12 are the end of a visit, completed or cancelled.
  private static final String NOTHING_AFTER_A_VISIT_ENDED =
      """
      select h.instance_id,
             'visit ' || h.visit as item,
             'entry of type ' || h.type || ' at version ' || h.version
               || ', after its end' as detail
        from (select instance_id, visit, version, type,
                     lag(type) over (partition by instance_id, visit
                                         order by version, ordinal) as earlier
                from wm_history
               where visit > 0) h
       where h.earlier in (7, 12)
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I1, CONSUMED_ONCE),
          Rule.always(I1, CONSUMED_IS_STORED),
          Rule.always(I1, ARCHIVED_IS_GONE_FROM_ITS_TABLE),
          Rule.always(I2, VERSIONS_ARE_DENSE),
          Rule.always(I2, ORDINALS_ARE_DENSE),
          Rule.always(I3, EVENT_HAS_ITS_ENTRY),
          Rule.always(I3, NO_MORE_EVENTS_THAN_DECLARED),
          Rule.always(I3, EVENT_ONCE_FOR_EACH_SINK),
          Rule.always(I3, ONE_AUTHOR),
          Rule.always(I7, ATTEMPTS_ONLY_GROW),
          Rule.always(I7, ONE_RESULT_FOR_EACH_ATTEMPT),
          Rule.always(I7, NOTHING_AFTER_A_VISIT_ENDED));

  private HistoryRules() {}
}
