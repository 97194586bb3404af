package dev.waymark.sqlite.internal.message;

import dev.waymark.core.Json;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The outbox on SQLite. */
public final class SqliteOutbox implements Outbox {

  // An event waits behind a parked one of its instance, also if it was written after the parking.
  private static final String NEXT =
      """
      select o.lane, o.id, o.sink, o.event_id, o.instance_id, o.version, o.ordinal, o.type, o.data,
             o.attempts
        from wm_outbox o
       where o.lane = :lane
         and o.state = 0
         and o.sink in (select value from json_each(:sinks))
         and not exists (select 1 from wm_outbox parked
                          where parked.instance_id = o.instance_id
                            and parked.sink = o.sink
                            and parked.state = 1
                            and parked.id < o.id)
       order by o.id
       limit :limit
      """;

  private static final String DUE =
      """
      select lane, id, sink, event_id, instance_id, version, ordinal, type, data, attempts
        from wm_outbox
       where state = 1
         and due <= :now
         and lane = :lane
         and sink in (select value from json_each(:sinks))
       order by id
       limit :limit
      """;

  private static final String LISTENS =
      """
      update wm_node set sinks = :sinks where id = :node
      """;

  private static final String LISTENERS =
      """
      select id, state, valid_until, sinks from wm_node where sinks is not null
      """;

  private static final String NEXT_DUE =
      """
      select due from wm_outbox where state = 1 order by due limit 1
      """;

  private static final String DELIVERED =
      """
      delete from wm_outbox
       where id = :id
         and lane in (select lane from wm_lane where lane = :lane and holder = :node)
      """;

  private static final String PARK =
      """
      update wm_outbox
         set state = 1, due = :due, attempts = attempts + 1, error = :error
       where id = :id
         and lane in (select lane from wm_lane where lane = :lane and holder = :node)
      """;

  // Two halves, because each has an index of its own.
  private static final String PARK_BEHIND =
      """
      update wm_outbox
         set state = 1, due = :due
       where id in (
         select id
           from wm_outbox
          where lane = :lane and state = 0 and id > :id
            and instance_id = :instance and sink = :sink
         union all
         select id
           from wm_outbox
          where instance_id = :instance and sink = :sink and state = 1 and id > :id)
      """;

  private static final String BURY =
      """
      update wm_outbox
         set state = 2, due = null, attempts = attempts + 1, error = :error
       where id = :id
         and lane in (select lane from wm_lane where lane = :lane and holder = :node)
      """;

  private static final String BACKLOG =
      """
      select (select count(*) from wm_outbox where state = 0) as pending,
             (select count(*) from wm_outbox where state = 1) as parked,
             (select count(*) from wm_outbox where state = 2) as dead
      """;

  private final Database database;
  private final SqliteLanes lanes;
  private final AtomicInteger turns = new AtomicInteger();

  public SqliteOutbox(Database database) {
    this.database = database;
    this.lanes = new SqliteLanes(database);
  }

  @Override
  public List<Lane> lease(NodeId node, int most, Duration lease) {
    return lanes.lease(node, most, lease);
  }

  @Override
  public void listens(NodeId node, List<String> sinks) {
    var unused =
        database.write(
            session ->
                session
                    .query(LISTENS)
                    .set("sinks", Json.write(sinks))
                    .set("node", node.value())
                    .update());
  }

  @Override
  public List<Listening> listeners() {
    return database.read(
        session ->
            session
                .query(LISTENERS)
                .list(
                    row ->
                        Listening.of(
                            row.node("id"),
                            row.number("state") == 0,
                            row.instant("valid_until"),
                            row.text("sinks"))));
  }

  @Override
  public void release(NodeId node) {
    lanes.release(node);
  }

  @Override
  public List<Pending> next(Selection of, int limit) {
    return database.read(
        session ->
            fromEach(
                of.lanes(),
                limit,
                (lane, most) ->
                    session
                        .query(NEXT)
                        .set("lane", lane.lane())
                        .set("sinks", Json.write(of.sinksOf(lane)))
                        .set("limit", most)
                        .list(SqliteOutbox::pending)));
  }

  @Override
  public List<Pending> due(Selection of, int limit) {
    return database.read(
        session -> {
          Instant now = database.now();
          return fromEach(
              of.lanes(),
              limit,
              (lane, most) ->
                  session
                      .query(DUE)
                      .set("now", now)
                      .set("lane", lane.lane())
                      .set("sinks", Json.write(of.sinksOf(lane)))
                      .set("limit", most)
                      .list(SqliteOutbox::pending));
        });
  }

  private interface PerLane {
    List<Pending> read(Lane lane, int most) throws SQLException;
  }

  // Each call begins at another lane, so that a long lane does not starve the ones behind it.
  private List<Pending> fromEach(List<Lane> held, int limit, PerLane source) throws SQLException {
    List<Pending> events = new ArrayList<>();
    int first = turns.getAndIncrement();
    for (int i = 0; i < held.size() && events.size() < limit; i++) {
      Lane lane = held.get(Math.floorMod(first + i, held.size()));
      events.addAll(source.read(lane, limit - events.size()));
    }
    return events;
  }

  @Override
  public @Nullable Instant nextDue() {
    return database.find(session -> session.query(NEXT_DUE).first(row -> row.instant("due")));
  }

  @Override
  public int delivered(NodeId node, List<Pending> events) {
    return database.write(
        session -> {
          int rows = 0;
          for (Pending event : events) {
            rows +=
                session
                    .query(DELIVERED)
                    .set("id", event.id())
                    .set("lane", event.lane())
                    .set("node", node.value())
                    .update();
          }
          return rows;
        });
  }

  @Override
  public void park(NodeId node, Pending event, @Nullable Instant due, String error) {
    var unused =
        database.write(
            session ->
                due == null
                    ? ofHolder(session.query(BURY), node, event).set("error", error).update()
                    : park(session, node, event, due, error));
  }

  private static int park(Session session, NodeId node, Pending event, Instant due, String error)
      throws SQLException {
    int rows =
        ofHolder(session.query(PARK), node, event).setDue("due", due).set("error", error).update();
    return rows == 0
        ? 0
        : session
            .query(PARK_BEHIND)
            .setDue("due", due)
            .set("lane", event.lane())
            .set("id", event.id())
            .set("instance", event.instance().value())
            .set("sink", event.sink())
            .update();
  }

  private static Query ofHolder(Query query, NodeId node, Pending event) throws SQLException {
    return query.set("id", event.id()).set("lane", event.lane()).set("node", node.value());
  }

  @Override
  public Backlog backlog() {
    return database.read(
        session ->
            session
                .query(BACKLOG)
                .list(
                    row ->
                        new Backlog(
                            row.number("pending"), row.number("parked"), row.number("dead")))
                .getFirst());
  }

  private static Pending pending(Row row) throws SQLException {
    return new Pending(
        row.smallNumber("lane"),
        row.number("id"),
        row.text("sink"),
        row.text("event_id"),
        row.instance("instance_id"),
        row.number("version"),
        row.smallNumber("ordinal"),
        row.text("type"),
        row.text("data"),
        row.smallNumber("attempts"));
  }
}
