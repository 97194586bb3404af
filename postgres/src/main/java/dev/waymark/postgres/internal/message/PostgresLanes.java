package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.Micros;
import java.time.Duration;
import java.util.List;

/** Leases of nodes on the lanes of the outbox. */
final class PostgresLanes {

  // A lane that another node is taking at this moment is passed over; our own are waited for, since
  // only we and a taker of a lapsed one touch them. Lanes above the limit are given back.
  private static final String LEASE =
      """
      with
      clock as materialized (
        select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
      ),
      own as materialized (
        select lane
          from wm_lane
         where holder = :node
         order by lane
           for update
      ),
      kept as materialized (
        select lane
          from own
         order by lane
         limit :most
      ),
      free as materialized (
        select lane
          from wm_lane
         where (holder is null or (holder <> :node and until <= (select now from clock)))
         order by lane
         limit :most - (select count(*) from kept)
           for update skip locked
      ),
      surplus as (
        update wm_lane
           set holder = null,
               until = null
         where lane in (select lane from own)
           and lane not in (select lane from kept)
      ),
      found as materialized (
        select lane, 0 as taken from kept
        union all
        select lane, 1 from free
      ),
      leased as (
        update wm_lane l
           set holder = :node,
               until = (select now from clock) + :lease * interval '1 microsecond',
               fence = l.fence + found.taken
          from found
         where l.lane = found.lane
        returning l.lane, l.fence
      )
      select lane, fence, 1 / cast((select count(*) from leased) <= :most as int) as whole
        from leased
       order by lane
      """;

  private static final String RELEASE =
      """
      update wm_lane
         set holder = null,
             until = null
       where holder = :node
      """;

  private final Db db;

  PostgresLanes(Db db) {
    this.db = db;
  }

  List<Lane> lease(NodeId node, int most, Duration lease) {
    return db.call(
        "Leasing lanes",
        handle ->
            handle
                .createQuery(LEASE)
                .bind("now", db.now())
                .bind("node", node.value())
                .bind("most", most)
                .bind("lease", Micros.of(lease))
                .map((row, context) -> new Lane(row.getInt("lane"), row.getLong("fence")))
                .list());
  }

  void release(NodeId node) {
    db.run(
        "Releasing lanes",
        handle -> handle.createUpdate(RELEASE).bind("node", node.value()).execute());
  }
}
