package dev.waymark.engine.store.check;

import static dev.waymark.engine.store.Invariant.I14;

import java.util.List;

/** Foreign-key rules, checked here because hot tables have no foreign keys. */
final class BelongingRules {

  private static final String LABELS =
      """
      select l.instance_id,
             'label ' || l.name as item,
             'of tenant ' || l.tenant || ', but its instance is of '
               || coalesce(i.tenant, 'none') as detail
        from wm_label l
        left join wm_instance i on i.id = l.instance_id
       where i.id is null
          or i.tenant <> l.tenant
       limit :limit
      """;

  private static final String KEYS =
      """
      select k.instance_id,
             'key ' || k.key as item,
             'of tenant ' || k.tenant || ', but its instance is of '
               || coalesce(i.tenant, 'none') || ' with key '
               || coalesce(i.business_key, 'none') as detail
        from wm_key k
        left join wm_instance i on i.id = k.instance_id
       where i.id is null
          or i.tenant <> k.tenant
          or (k.kind = 0 and k.key <> coalesce(i.business_key, ''))
       limit :limit
      """;

  // Without its row, another instance could be started with the same key.
  private static final String KEY_OF_A_LIVE_INSTANCE =
      """
      select i.id as instance_id,
             'key ' || i.business_key as item,
             'of an instance that has not ended, but anybody can take it' as detail
        from wm_instance i
       where i.business_key is not null
         and i.status < 2
         and not exists (select 1 from wm_key k
                          where k.tenant = i.tenant
                            and k.kind = 0
                            and k.key = i.business_key
                            and k.instance_id = i.id)
       limit :limit
      """;

  private static final String VISITS =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'without its instance' as detail
        from wm_activity_instance a
       where not exists (select 1 from wm_instance i where i.id = a.instance_id)
       limit :limit
      """;

  private static final String PARENTS =
      """
      select a.instance_id,
             'visit ' || a.visit as item,
             'inside visit ' || a.parent || ', which does not live' as detail
        from wm_activity_instance a
       where a.parent > 0
         and not exists (select 1 from wm_activity_instance parent
                          where parent.instance_id = a.instance_id
                            and parent.visit = a.parent)
       limit :limit
      """;

  // A parent may be gone by now, but not without a trace.
  private static final String CHILDREN =
      """
      select c.id as instance_id,
             'instance' as item,
             'child of visit ' || c.parent_visit || ' of an instance of tenant '
               || coalesce(p.tenant, 'none') || ' with ' || coalesce(p.visits, 0)
               || ' visits' as detail
        from wm_instance c
        left join wm_instance p on p.id = c.parent_id
       where c.parent_id is not null
         and ((p.id is null
               and not exists (select 1 from wm_history h where h.instance_id = c.parent_id))
              or p.tenant <> c.tenant
              or p.visits < c.parent_visit)
       limit :limit
      """;

  private static final String BOOKMARKS =
      """
      select b.instance_id,
             'bookmark ' || b.tag as item,
             'of tenant ' || b.tenant || ', but its instance is of '
               || coalesce(i.tenant, 'none') as detail
        from (select instance_id, tag, tenant from wm_bookmark
              union all
              select instance_id, tag, tenant from wm_bookmark_archive) b
        left join wm_instance i on i.id = b.instance_id
       where i.id is null
          or i.tenant <> b.tenant
       limit :limit
      """;

  private static final String OPEN_BOOKMARKS =
      """
      select b.instance_id,
             'bookmark ' || b.tag as item,
             'open for visit ' || b.visit || ', which does not live' as detail
        from wm_bookmark b
        join wm_instance i on i.id = b.instance_id
       where b.state = 0
         and i.status < 2
         and not exists (select 1 from wm_activity_instance a
                          where a.instance_id = b.instance_id
                            and a.visit = b.visit
                            and a.state <> 4)
       limit :limit
      """;

  private static final String HISTORY =
      """
      select h.instance_id,
             'history' as item,
             count(*) || ' entries without their instance' as detail
        from wm_history h
       where not exists (select 1 from wm_instance i where i.id = h.instance_id)
       group by h.instance_id
       limit :limit
      """;

  private static final String EVENTS =
      """
      select o.instance_id,
             'event ' || o.id as item,
             'without its instance' as detail
        from wm_outbox o
       where not exists (select 1 from wm_instance i where i.id = o.instance_id)
       limit :limit
      """;

  private static final String COMMANDS =
      """
      select c.instance_id,
             'command ' || c.scope || ' ' || c.id as item,
             'of tenant ' || c.tenant || ', but its instance is of '
               || coalesce(i.tenant, 'none') as detail
        from wm_command c
        left join wm_instance i on i.id = c.instance_id
       where i.id is null
          or i.tenant <> c.tenant
       limit :limit
      """;

  // A message may wait for an instance that does not exist yet; a spent one has had it. A
  // broadcast never has one.
  private static final String MESSAGES =
      """
      select m.instance_id,
             'message ' || m.source || ' ' || m.id as item,
             'of tenant ' || m.tenant || ', spent by an instance of '
               || coalesce(i.tenant, 'none') as detail
        from wm_inbox m
        left join wm_instance i on i.id = m.instance_id
       where m.state = 1
         and m.instance_id is not null
         and (i.id is null or i.tenant <> m.tenant)
       limit :limit
      """;

  private static final String DEFINITIONS =
      """
      select i.id as instance_id,
             'definition ' || i.definition_id as item,
             'of tenant ' || coalesce(d.tenant, 'none') || ', but its instance is of '
               || i.tenant as detail
        from wm_instance i
        left join wm_definition d on d.id = i.definition_id
       where d.id is null
          or d.tenant <> i.tenant
       limit :limit
      """;

  private static final String CANDIDATES =
      """
      select c.instance_id,
             'candidate ' || c.who as item,
             case when b.tag is null then 'of a bookmark that is not open'
                  else 'shows bookmark ' || c.tag || ' as due at another time, or to another tenant'
              end as detail
        from wm_candidate c
        left join wm_bookmark b
          on b.instance_id = c.instance_id and b.tag = c.tag and b.state = 0
       where b.tag is null
          or b.tenant <> c.tenant
          or (b.due is not null and b.due <> c.due)
       limit :limit
      """;

  /** A claim looks under the audience, an inbox under the candidates: they must say the same. */
  private static final String AUDIENCE =
      """
      select b.instance_id,
             'bookmark ' || b.tag as item,
             'claimed under "' || b.audience || '", which its candidates do not say' as detail
        from wm_bookmark b
       where b.state = 0
         and (select count(*)
                from wm_candidate c
               where c.instance_id = b.instance_id
                 and c.tag = b.tag
                 and (c.who like 'user:%' or c.who like 'group:%')
                 and (b.audience in ('', '*') or c.who = b.audience))
             not between case b.audience when '' then 0 when '*' then 0 else 1 end
                     and case b.audience when '' then 0 when '*' then 1000000 else 1 end
       limit :limit
      """;

  // A group takes turns because a run of its tenant has a task for it.
  private static final String TURN_HAS_TENANT =
      """
      select cast(null as text) as instance_id,
             'turns of group ' || t.name || ' of tenant ' || t.tenant as item,
             'of a tenant for which nobody deployed anything' as detail
        from wm_turn t
       where not exists (select 1 from wm_definition d
                          where d.tenant = t.tenant)
       limit :limit
      """;

  static final List<Rule> ALL =
      List.of(
          Rule.always(I14, LABELS),
          Rule.always(I14, KEYS),
          Rule.always(I14, KEY_OF_A_LIVE_INSTANCE),
          Rule.always(I14, VISITS),
          Rule.always(I14, PARENTS),
          Rule.always(I14, CHILDREN),
          Rule.always(I14, BOOKMARKS),
          Rule.always(I14, OPEN_BOOKMARKS),
          Rule.always(I14, CANDIDATES),
          Rule.always(I14, AUDIENCE),
          Rule.always(I14, HISTORY),
          Rule.always(I14, EVENTS),
          Rule.always(I14, COMMANDS),
          Rule.always(I14, MESSAGES),
          Rule.always(I14, DEFINITIONS),
          Rule.always(I14, TURN_HAS_TENANT));

  private BelongingRules() {}
}
