package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Nodes;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Nodes on SQLite: one of them is alive, because the lock file proves all others gone. */
public final class SqliteNodes implements Nodes {

  private static final String REGISTER =
      """
      insert into wm_node (id, name, state, valid_until, started)
      values (:node, :name, 0, :until, :now)
      on conflict (id) do update set name = excluded.name, valid_until = excluded.valid_until
       where state = 0
      """;

  private static final String DECLARE_OTHERS =
      """
      update wm_node set state = 1 where id <> :node and state = 0
      """;

  private static final String RENEW =
      """
      update wm_node set valid_until = :until where id = :node and state = 0
      """;

  private static final String NEXT_LAPSE =
      """
      select valid_until
        from wm_node
       where id <> :node
         and state = 0
       order by valid_until
       limit 1
      """;

  // The asking node must be valid itself: after a database that stood still all leases have lapsed.
  private static final String LAPSED =
      """
      select id
        from wm_node
       where state = 0
         and valid_until <= :now
         and exists (select 1 from wm_node
                      where id = :by and state = 0 and valid_until > :now)
       order by valid_until
      """;

  private static final String LEAVE =
      """
      update wm_node set state = 1 where id = :node
      """;

  private static final String LIST =
      """
      select id, name, state, valid_until, started from wm_node order by started, id
      """;

  private final Database database;

  public SqliteNodes(Database database) {
    this.database = database;
  }

  @Override
  public Renewal register(NodeId node, String name, Duration lease) {
    return database.write(
        session -> {
          Instant now = database.now();
          session.query(DECLARE_OTHERS).set("node", node.value()).update();
          int rows =
              session
                  .query(REGISTER)
                  .set("node", node.value())
                  .set("name", name)
                  .set("until", now.plus(lease))
                  .set("now", now)
                  .update();
          return renewal(session, node, rows == 1, now);
        });
  }

  @Override
  public Renewal renew(NodeId node, Duration lease) {
    return database.write(
        session -> {
          Instant now = database.now();
          int rows =
              session.query(RENEW).set("until", now.plus(lease)).set("node", node.value()).update();
          return renewal(session, node, rows == 1, now);
        });
  }

  private static Renewal renewal(Session session, NodeId node, boolean alive, Instant now)
      throws SQLException {
    Instant nextLapse =
        session
            .query(NEXT_LAPSE)
            .set("node", node.value())
            .first(row -> row.instant("valid_until"));
    return new Renewal(alive, now, Duration.ZERO, nextLapse);
  }

  @Override
  public List<NodeId> declareLapsedDead(NodeId by) {
    return database.write(
        session -> {
          List<NodeId> lapsed =
              session
                  .query(LAPSED)
                  .set("now", database.now())
                  .set("by", by.value())
                  .list(row -> row.node("id"));
          for (NodeId node : lapsed) {
            session.query(LEAVE).set("node", node.value()).update();
          }
          return lapsed;
        });
  }

  @Override
  public void leave(NodeId node) {
    var unused = database.write(session -> session.query(LEAVE).set("node", node.value()).update());
  }

  @Override
  public List<NodeRow> list() {
    return database.read(
        session ->
            session
                .query(LIST)
                .list(
                    row ->
                        new NodeRow(
                            row.node("id"),
                            row.text("name"),
                            row.number("state") == 0,
                            row.instant("valid_until"),
                            row.instant("started"))));
  }
}
