package dev.waymark.engine.store.postgres;

/**
 * The gates of the commit statement, and what it says about a unit that one of them stopped.
 *
 * <p>Here, in the writes and in the load, {@code lateral} makes every lookup one by its key. A join
 * leaves the planner free to read a whole index that is small today, and its plan is kept while the
 * table grows; forbidding sequential scans does not prevent that.
 */
final class CommitGates {

  static final String CLOCK =
      """
      clock as materialized (
        select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
      )\
      """;

  /** That the committing node is alive is for quiet; the version is the safety. */
  static final String ALIVE =
      """
      alive as materialized (
        select id
          from wm_node
         where id = :node
           and state = 0
           and valid_until > (select now from clock)
      )\
      """;

  static final String CURRENT =
      """
      current as materialized (
        select u.n, i.place
          from (select n, id, before from unit where before > 0 order by id offset 0) u
         cross join lateral (
           select i.ctid as place
             from wm_instance i
            where i.id = u.id
              and i.version = u.before
              for update skip locked
         ) i
      )\
      """;

  static final String ABSENT =
      """
      absent as materialized (
        select unit.n
          from unit
         where unit.before = 0
           and (select i.id from wm_instance i where i.id = unit.id) is null
      )\
      """;

  static final String KNOWN =
      """
      known as materialized (
        select n
          from unit
          join command using (n)
         cross join lateral (
           select c.id
             from wm_command c
            where c.tenant = unit.tenant
              and c.scope = command.scope
              and c.id = command.id
           offset 0
         ) c
      )\
      """;

  static final String OCCUPIED =
      """
      occupied as materialized (
        select n
          from unit
          join taken using (n)
         cross join lateral (
           select k.key
             from wm_key k
            where k.tenant = unit.tenant
              and k.kind = taken.kind
              and k.key = taken.key
           offset 0
         ) k
      )\
      """;

  static final String LOCKED_BOOKMARK =
      """
      locked_bookmark as materialized (
        select u.n, u.tag, b.place
          from (
            select n, unit.id, spend.tag, spend.guard, spend.fence
              from admitted
              join unit using (n)
              join spend using (n)
             order by unit.id, spend.tag
            offset 0
          ) u
         cross join lateral (
           select b.ctid as place
             from wm_bookmark b
            where b.instance_id = u.id
              and b.tag = u.tag
              and b.state = 0
              and case u.guard
                    when 0 then true
                    when 1 then b.holder is null or b.lease_until <= (select now from clock)
                    when 2 then b.holder is not null and b.fence = u.fence
                    when 3 then b.due <= (select now from clock)
                  end
              for update skip locked
         ) b
      )\
      """;

  /** What is looked up by its key says {@code state < 1}: see {@link PlanCheck}. */
  static final String LOCKED_MESSAGE =
      """
      locked_message as materialized (
        select u.n, u.version, u.source = 'instance' as from_a_step, m.place
          from (
            select n, unit.id as addressee, receipt.tenant, receipt.source, receipt.id,
                   receipt.version
              from admitted
              join unit using (n)
              join receipt using (n)
             order by receipt.tenant, receipt.source, receipt.id
            offset 0
          ) u
         cross join lateral (
           select m.ctid as place
             from wm_inbox m
            where m.tenant = u.tenant
              and m.source = u.source
              and m.id = u.id
              and (m.instance_id = u.addressee or m.correlation is not null)
              and m.state < 1
              for update skip locked
         ) m
      )\
      """;

  static final String NODE_NOT_ALIVE =
      """
      when not exists (select 1 from alive) then 'NODE_NOT_ALIVE'
      """;

  /**
   * A scalar, not an EXISTS, which the planner may answer by reading the whole table into a hash.
   */
  static final String NOT_CURRENT =
      """
      when unit.before > 0 and unit.n not in (select n from current) then
        case (select i.version from wm_instance i where i.id = unit.id)
          when unit.before then 'BUSY'
          else 'STALE'
        end
      """;

  static final String NOT_CURRENT_AFTER_WAITING =
      """
      when unit.before > 0 and unit.n not in (select n from current) then 'STALE'
      """;

  static final String NOT_ABSENT =
      """
      when unit.before = 0 and unit.n not in (select n from absent) then 'EXISTS'
      """;

  /** A step is to be decided again: its next load will find the command. */
  static final String IS_KNOWN =
      """
      when unit.n in (select n from known) then
        case unit.before when 0 then 'EXISTS' else 'STALE' end
      """;

  static final String IS_OCCUPIED =
      """
      when unit.n in (select n from occupied) then 'EXISTS'
      """;

  /** Read without a lock, so it only explains: a bookmark that is as it must be was just locked. */
  static final String BOOKMARK_REFUSED =
      """
      when exists (
        select 1
          from spend
         where spend.n = unit.n
           and not exists (
             select 1
               from wm_bookmark b
              where b.instance_id = unit.id
                and b.tag = spend.tag
                and b.state = 0
                and case spend.guard
                      when 0 then true
                      when 1 then b.holder is null or b.lease_until <= (select now from clock)
                      when 2 then b.holder is not null and b.fence = spend.fence
                      when 3 then b.due <= (select now from clock)
                    end)) then 'NOT_SPENDABLE'
      """;

  static final String MESSAGE_REFUSED =
      """
      when exists (
        select 1
          from receipt
         where receipt.n = unit.n
           and not exists (
             select 1
               from wm_inbox m
              where m.tenant = receipt.tenant
                and m.source = receipt.source
                and m.id = receipt.id
                and (m.instance_id = unit.id or m.correlation is not null)
                and m.state < 1)) then 'NOT_SPENDABLE'
      """;

  private CommitGates() {}
}
