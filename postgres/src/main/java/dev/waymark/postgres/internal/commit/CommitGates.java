package dev.waymark.postgres.internal.commit;

import dev.waymark.postgres.internal.sql.PlanCheck;

/**
 * The gates of the commit statement.
 *
 * <p>Here, in the writes and in the load, {@code lateral} makes every lookup one by its key. A join
 * leaves the planner free to read a whole index that is small today, and its plan is kept while the
 * table grows; forbidding sequential scans does not prevent that.
 */
final class CommitGates {

  /** Stops a node early that was declared dead. Correctness rests on the version. */
  static final String ALIVE =
      """
      exists (
           select 1
             from wm_node
            where id = :node
              and state = 0
              and valid_until > coalesce(cast(:now as timestamptz), statement_timestamp()))\
      """;

  /** The instance of a unit {@code u}, if it stands where the unit was decided. */
  static final String LOCKED_INSTANCE =
      """
      cross join lateral (
        select i.ctid as place
          from wm_instance i
         where i.id = u.id
           and i.version = u.before
           for update skip locked
      ) i\
      """;

  /** The wait that {@code u} spends, if its guard holds. */
  static final String LOCKED_WAIT =
      """
      cross join lateral (
        select b.ctid as place
          from wm_bookmark b
         where b.instance_id = u.id
           and b.tag = u.tag
           and b.state = 0
           and case u.guard
                 when 0 then true
                 when 1 then b.holder is null
                   or b.lease_until <= coalesce(cast(:now as timestamptz), statement_timestamp())
                 when 2 then b.holder is not null and b.fence = u.fence
                 when 3 then
                   b.due <= coalesce(cast(:now as timestamptz), statement_timestamp())
               end
           for update skip locked
      ) b\
      """;

  static final String CURRENT =
      """
      current as materialized (
        select u.*, i.place
          from (select * from unit where before > 0 order by id offset 0) u
         {instance}
      )\
      """
          .replace("{instance}", indented(LOCKED_INSTANCE));

  static final String ABSENT =
      """
      absent as materialized (
        select unit.*, cast(null as tid) as place
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

  /**
   * Keys that another transaction is taking. The index would wait for it, and all other units of
   * the batch with it: with thirty keys in one open transaction of an application, starts of
   * another tenant took 5 s. The lock ends with the transaction, and a unit that gets it only after
   * the other has committed meets the index.
   */
  static final String CONTESTED =
      """
      contested as materialized (
        select n
          from unit
          join taken using (n)
         where cast(
                 pg_try_advisory_xact_lock(
                   hashtextextended(unit.tenant || ' ' || taken.kind || ' ' || taken.key, 0))
                 as text) = 'false'
      )\
      """;

  static final String LOCKED_BOOKMARK =
      """
      locked_bookmark as materialized (
        select u.n, u.tag, u.state, u.closed_by, u.closed_at, b.place
          from (
            select spend.*, admitted.id
              from admitted
              join spend using (n)
             order by admitted.id, spend.tag
            offset 0
          ) u
         {wait}
      )\
      """
          .replace("{wait}", indented(LOCKED_WAIT));

  /** A lookup by key says {@code state < 1}: see {@link PlanCheck}. */
  static final String LOCKED_MESSAGE =
      """
      locked_message as materialized (
        select u.n, u.version, u.addressee, u.source = 'instance' as from_a_step, m.place
          from (
            select receipt.*, admitted.id as addressee
              from admitted
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

  private CommitGates() {}

  /** A text as it stands within a part: its first line is indented already. */
  static String indented(String text) {
    return text.replace("\n", "\n   ");
  }
}
