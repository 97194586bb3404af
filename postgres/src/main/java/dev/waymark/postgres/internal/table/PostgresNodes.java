package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Nodes;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

public final class PostgresNodes implements Nodes {

  // A repeated registration of the same node is a renewal; a dead node stays dead.
  private static final String REGISTER =
      """
      with
      clock as materialized (
        select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
      ),
      entered as (
        insert into wm_node (id, name, state, valid_until, started)
        select :id, :name, 0, now + :lease * interval '1 microsecond', now
          from clock
        on conflict (id) do update
           set valid_until = excluded.valid_until
         where wm_node.state = 0
        returning id
      )
      select now, exists (select 1 from entered) as alive,
             (select min(valid_until) from wm_node where state = 0 and id <> :id) as next_lapse,
             cast(extract(epoch from clock_timestamp() - statement_timestamp()) * 1000000 as bigint)
               as took
        from clock
      """;

  // The row may be held for a while. The time told is that of the statement's arrival; how long it
  // has taken is read last, once the row is written.
  private static final String RENEW =
      """
      with
      clock as materialized (
        select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
      ),
      renewed as (
        update wm_node
           set valid_until = now + :lease * interval '1 microsecond'
          from clock
         where id = :id
           and state = 0
        returning id
      )
      select now, exists (select 1 from renewed) as alive,
             (select min(valid_until) from wm_node where state = 0 and id <> :id) as next_lapse,
             cast(extract(epoch from clock_timestamp() - statement_timestamp()) * 1000000 as bigint)
               as took
        from clock
      """;

  // A node that is renewing itself at this moment is not dead: pass over its row.
  private static final String DECLARE_LAPSED_DEAD =
      """
      with
      clock as materialized (
        select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
      ),
      lapsed as materialized (
        select id
          from wm_node
         where state = 0
           and id <> :by
           and valid_until <= (select now from clock)
           and exists (
             select 1
               from wm_node
              where id = :by
                and state = 0
                and valid_until > (select now from clock))
         order by id
           for update skip locked
      )
      update wm_node
         set state = 1
        from lapsed
       where wm_node.id = lapsed.id
      returning wm_node.id
      """;

  private static final String LEAVE = "update wm_node set state = 1 where id = :id";

  private static final String LIST =
      """
      select id, name, state = 0 as alive, valid_until, started
        from wm_node
       order by started, id
      """;

  private final Db db;

  public PostgresNodes(Db db) {
    this.db = db;
  }

  @Override
  public Renewal register(NodeId node, String name, Duration lease) {
    return db.call(
        "Registering a node",
        handle ->
            handle
                .createQuery(REGISTER)
                .bind("now", db.now())
                .bind("id", node.value())
                .bind("name", name)
                .bind("lease", Micros.of(lease))
                .map((row, context) -> renewal(row))
                .one());
  }

  @Override
  public Renewal renew(NodeId node, Duration lease) {
    return db.call(
        "Renewing a node",
        handle ->
            handle
                .createQuery(RENEW)
                .bind("now", db.now())
                .bind("id", node.value())
                .bind("lease", Micros.of(lease))
                .map((row, context) -> renewal(row))
                .one());
  }

  @Override
  public List<NodeId> declareLapsedDead(NodeId by) {
    return db.call(
        "Declaring nodes dead",
        handle ->
            handle
                .createQuery(DECLARE_LAPSED_DEAD)
                .bind("now", db.now())
                .bind("by", by.value())
                .map((row, context) -> Columns.nodeId(row, "id"))
                .list());
  }

  @Override
  public void leave(NodeId node) {
    db.run("Leaving", handle -> handle.createUpdate(LEAVE).bind("id", node.value()).execute());
  }

  @Override
  public List<NodeRow> list() {
    return db.call(
        "Listing nodes",
        handle -> handle.createQuery(LIST).map((row, context) -> node(row)).list());
  }

  private static Renewal renewal(ResultSet row) throws SQLException {
    return new Renewal(
        row.getBoolean("alive"),
        Columns.instant(row, "now"),
        Duration.of(row.getLong("took"), ChronoUnit.MICROS),
        Columns.instantOrNull(row, "next_lapse"));
  }

  private static NodeRow node(ResultSet row) throws SQLException {
    return new NodeRow(
        Columns.nodeId(row, "id"),
        row.getString("name"),
        row.getBoolean("alive"),
        Columns.instant(row, "valid_until"),
        Columns.instant(row, "started"));
  }
}
