package dev.waymark.sqlite.internal.message;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Leases of nodes on the lanes of the outbox. */
final class SqliteLanes {

  private static final String HELD =
      """
      select lane, fence from wm_lane where holder = :node order by lane
      """;

  private static final String FREE =
      """
      select lane, fence + 1 as fence
        from wm_lane
       where holder is null
          or (holder <> :node and until <= :now)
       order by lane
       limit :limit
      """;

  private static final String HOLD =
      """
      update wm_lane set holder = :node, until = :until, fence = :fence where lane = :lane
      """;

  private static final String RELEASE =
      """
      update wm_lane set holder = null, until = null where lane = :lane and holder = :node
      """;

  private static final String RELEASE_ALL =
      """
      update wm_lane set holder = null, until = null where holder = :node
      """;

  private final Database database;

  SqliteLanes(Database database) {
    this.database = database;
  }

  /**
   * Also gives back the lanes that a node holds beyond its share, so that other nodes find some.
   */
  List<Lane> lease(NodeId node, int most, Duration lease) {
    return database.write(
        session -> {
          Instant now = database.now();
          List<Lane> held = session.query(HELD).set("node", node.value()).list(SqliteLanes::lane);
          List<Lane> lanes = new ArrayList<>(held.subList(0, Math.min(most, held.size())));
          for (Lane spare : held.subList(lanes.size(), held.size())) {
            session.query(RELEASE).set("lane", spare.lane()).set("node", node.value()).update();
          }
          lanes.addAll(
              session
                  .query(FREE)
                  .set("node", node.value())
                  .set("now", now)
                  .set("limit", most - lanes.size())
                  .list(SqliteLanes::lane));
          for (Lane lane : lanes) {
            session
                .query(HOLD)
                .set("node", node.value())
                .set("until", now.plus(lease))
                .set("fence", lane.fence())
                .set("lane", lane.lane())
                .update();
          }
          return List.copyOf(lanes);
        });
  }

  void release(NodeId node) {
    var unused =
        database.write(session -> session.query(RELEASE_ALL).set("node", node.value()).update());
  }

  private static Lane lane(Row row) throws SQLException {
    return new Lane(row.smallNumber("lane"), row.number("fence"));
  }
}
