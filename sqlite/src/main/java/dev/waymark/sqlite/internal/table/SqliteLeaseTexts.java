package dev.waymark.sqlite.internal.table;

/** The statements of {@link SqliteLeases}. */
final class SqliteLeaseTexts {

  static final String LAPSED =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms, b.stage,
             b.extensions, b.progress, b.priority
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = :kind
         and b.audience = :who
         and b.state = 0
         and b.holder is not null
         and b.lease_until <= :now
         and (b.expires is null or b.expires > :now)
         and not exists (select 1
                           from wm_candidate c
                          where c.instance_id = b.instance_id
                            and c.tag = b.tag
                            and c.who = :barred)
       order by b.lease_until, b.instance_id, b.tag
       limit :limit
      """;

  // Timers are never claimed, and the index leaves them out; it serves only if that is said again.
  static final String FREE =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms, b.stage,
             b.extensions, b.progress, b.priority
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = :kind
         and b.audience = :who
         and b.state = 0
         and b.holder is null
         and b.kind <> 1
         and b.key not like '$ended:%'
         and (b.expires is null or b.expires > :now)
         and not exists (select 1
                           from wm_candidate c
                          where c.instance_id = b.instance_id
                            and c.tag = b.tag
                            and c.who = :barred)
       order by b.priority desc, b.created, b.instance_id, b.tag
       limit :limit
      """;

  static final String FREE_WITHOUT_DUE =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms, b.stage,
             b.extensions, b.progress, b.priority
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = :kind
         and b.audience = :who
         and b.state = 0
         and b.holder is null
         and b.kind <> 1
         and b.key not like '$ended:%'
         and b.due is null
         and (b.expires is null or b.expires > :now)
         and not exists (select 1
                           from wm_candidate c
                          where c.instance_id = b.instance_id
                            and c.tag = b.tag
                            and c.who = :barred)
       order by b.priority desc, b.created, b.instance_id, b.tag
       limit :limit
      """;

  static final String DATED =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms, b.stage,
             b.extensions, b.progress, b.priority
        from wm_bookmark b
       where b.tenant = :tenant
         and b.kind = :kind
         and b.audience = :who
         and b.state = 0
         and b.holder is null
         and b.kind <> 1
         and b.due is not null
         and (b.expires is null or b.expires > :now)
         and not exists (select 1
                           from wm_candidate c
                          where c.instance_id = b.instance_id
                            and c.tag = b.tag
                            and c.who = :barred)
       order by b.due, b.instance_id, b.tag
       limit :limit
      """;

  // Held waits with several names are walked over: as many as the people who share these names
  // hold.
  static final String SEVERAL =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms, b.stage,
             b.extensions, b.progress, b.priority
        from wm_candidate m
        join wm_bookmark b on b.instance_id = m.instance_id and b.tag = m.tag
       where m.tenant = :tenant
         and m.who = :who
         and b.state = 0
         and b.kind = :kind
         and (b.holder is null or b.lease_until <= :now)
         and (b.expires is null or b.expires > :now)
         and not exists (select 1
                           from wm_candidate c
                          where c.instance_id = b.instance_id
                            and c.tag = b.tag
                            and c.who = :barred)
       order by m.due, m.instance_id, m.tag
       limit :limit
      """;

  static final String ONE =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms, b.stage,
             b.extensions, b.progress, b.priority
        from wm_bookmark b
       where b.instance_id = :instance
         and b.tag = :tag
         and b.tenant = :tenant
      """;

  static final String STANDING =
      """
      select b.state = 0 and b.kind <> 1 and b.key not like '$ended:%' as claimable,
             b.holder is not null and b.lease_until > :now as held,
             b.expires is not null and b.expires <= :now as expired
        from wm_bookmark b
       where b.instance_id = :instance
         and b.tag = :tag
      """;

  static final String IS_FOR_ANYBODY =
      """
      select 1
        from wm_bookmark
       where instance_id = :instance
         and tag = :tag
         and audience = ''
      """;

  static final String IS_MARKED =
      """
      select 1
        from wm_candidate
       where instance_id = :instance
         and tag = :tag
         and who = :who
      """;

  static final String HOLD =
      """
      update wm_bookmark
         set holder = :holder, lease_until = :until, fence = :fence, extensions = :extensions,
             stage = 0
       where instance_id = :instance
         and tag = :tag
      """;

  static final String EXTEND =
      """
      update wm_bookmark
         set lease_until = :until, extensions = extensions - 1
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder = :holder
         and fence = :fence
         and extensions > 0
         and (expires is null or expires > :now)
      """;

  static final String BEGIN =
      """
      update wm_bookmark
         set stage = 1
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder = :holder
         and fence = :fence
      """;

  static final String IS_SUSPENDED =
      """
      select 1
        from wm_instance
       where id = :instance
         and status = 1
      """;

  static final String PROGRESS =
      """
      update wm_bookmark
         set progress = :progress
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and case
               when :fence is not null then holder is not null and fence = :fence
               else holder is null or lease_until <= :now
             end
      """;

  static final String RELEASE =
      """
      update wm_bookmark
         set holder = null, lease_until = null, extensions = 0, stage = 0
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder is not null
         and fence = :fence
      """;

  // Held until the pause is over: it cannot be claimed before, and then it is free like any lapsed
  // one. The stage tells it from a lease, so that a step which changes the wait ends the pause.
  static final String RELEASE_LATER =
      """
      update wm_bookmark
         set lease_until = :until, extensions = 0, stage = 2
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder is not null
         and fence = :fence
      """;

  // The one writer waits for a claim that is under way before it runs this.
  static final String WITHDRAW =
      """
      update wm_bookmark
         set holder = null, lease_until = null, extensions = 0, stage = 0
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder = :holder
         and fence = :fence
         and lease_until = :until
      """;

  private SqliteLeaseTexts() {}
}
