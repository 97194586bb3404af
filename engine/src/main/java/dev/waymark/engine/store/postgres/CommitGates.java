package dev.waymark.engine.store.postgres;

/**
 * The gates of the commit statement, and what it says about a unit that one of them stopped.
 *
 * <p>Here and in the writes, {@code offset 0} keeps the rows to look for together: else the planner
 * may use the first column of a key alone and filter by the rest, which on small tables looks as
 * cheap, and on big ones walks over all keys of a tenant.
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
        select unit.n
          from unit
          join wm_instance i on i.id = unit.id and i.version = unit.before
         where unit.before > 0
         order by unit.id
           for update of i skip locked
      )\
      """;

  static final String ABSENT =
      """
      absent as materialized (
        select unit.n
          from unit
         where unit.before = 0
           and not exists (select 1 from wm_instance i where i.id = unit.id)
      )\
      """;

  static final String KNOWN =
      """
      known as materialized (
        select asked.n
          from (
            select n, unit.tenant, command.scope, command.id
              from unit
              join command using (n)
            offset 0
          ) asked
          join wm_command c
            on c.tenant = asked.tenant and c.scope = asked.scope and c.id = asked.id
      )\
      """;

  static final String OCCUPIED =
      """
      occupied as materialized (
        select asked.n
          from (
            select n, unit.tenant, taken.kind, taken.key
              from unit
              join taken using (n)
            offset 0
          ) asked
          join wm_key k on k.tenant = asked.tenant and k.kind = asked.kind and k.key = asked.key
      )\
      """;

  static final String LOCKED_BOOKMARK =
      """
      locked_bookmark as materialized (
        select spend.n
          from (
            select n, unit.id, spend.tag, spend.guard, spend.fence
              from admitted
              join unit using (n)
              join spend using (n)
            offset 0
          ) spend
          join wm_bookmark b on b.instance_id = spend.id and b.tag = spend.tag
         where b.state = 0
           and case spend.guard
                 when 0 then true
                 when 1 then b.holder is null or b.lease_until <= (select now from clock)
                 when 2 then b.holder is not null and b.fence = spend.fence
                 when 3 then b.due <= (select now from clock)
               end
         order by spend.id, spend.tag
           for update of b skip locked
      )\
      """;

  static final String LOCKED_MESSAGE =
      """
      locked_message as materialized (
        select receipt.n
          from (
            select receipt.*, unit.id as addressee
              from admitted
              join unit using (n)
              join receipt using (n)
            offset 0
          ) receipt
          join wm_inbox m
            on m.tenant = receipt.tenant and m.source = receipt.source and m.id = receipt.id
         where m.state = 0
           and m.instance_id = receipt.addressee
         order by receipt.tenant, receipt.source, receipt.id
           for update of m skip locked
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
                and m.instance_id = unit.id
                and m.state = 0)) then 'NOT_SPENDABLE'
      """;

  private CommitGates() {}
}
