package dev.waymark.postgres.internal.message;

import dev.waymark.core.Json;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

public final class PostgresOutbox implements Outbox {

  // An event behind a parked one of its instance and sink is not next, even if it is pending
  // itself: it was written after the others were parked. The statement looks for parked events only
  // if there is any at all. Lanes are read one after another until the page is full, so a page
  // costs what it holds, however long the lanes are.
  private static final HotStatement NEXT =
      HotStatement.of(
          "next events",
          "lanes int4[], sinks text[], busy_lanes int4[], busy_sinks text[], limit int4",
          """
          with parked as materialized (
            select exists (select 1 from wm_outbox where state = 1) as any
          )
          select lane, id, sink, event_id, instance_id, version, ordinal, type, data, attempts
            from (
              select held.turn, o.*
                from unnest(:lanes) with ordinality as held (lane, turn)
               cross join lateral (
                 select *
                   from wm_outbox pending
                  where pending.lane = held.lane
                    and pending.state = 0
                    and pending.sink = any (:sinks)
                    and (pending.lane, pending.sink) not in (
                      select busy.lane, busy.sink
                        from unnest(:busy_lanes, :busy_sinks) as busy (lane, sink))
                    and ((select not parked.any from parked)
                      or not exists (
                        select 1
                          from wm_outbox ahead
                         where ahead.lane = pending.lane
                           and ahead.instance_id = pending.instance_id
                           and ahead.sink = pending.sink
                           and ahead.id < pending.id
                           and ahead.state = 1))
                  order by pending.lane, pending.id
                  limit :limit
               ) o
               limit :limit
            ) page
           order by turn, id
          """);

  // All that is parked of one instance and sink has the same due time, so this order keeps theirs.
  private static final HotStatement DUE =
      HotStatement.of(
          "parked events",
          "now timestamptz, lanes int4[], sinks text[], busy_lanes int4[],"
              + " busy_sinks text[], limit int4",
          """
          select lane, id, sink, event_id, instance_id, version, ordinal, type, data, attempts
            from wm_outbox
           where state = 1
             and due <= coalesce(cast(:now as timestamptz), statement_timestamp())
             and lane = any (:lanes)
             and sink = any (:sinks)
             and (lane, sink) not in (
               select busy.lane, busy.sink
                 from unnest(:busy_lanes, :busy_sinks) as busy (lane, sink))
           order by due, id
           limit :limit
          """);

  private static final String NEXT_DUE =
      """
      select due
        from wm_outbox
       where state = 1
       order by due
       limit 1
      """;

  private static final String DELIVERED =
      """
      delete from wm_outbox o
       using unnest(:lanes, :ids) as done (lane, id)
        join wm_lane l on l.lane = done.lane and l.holder = :node
       where o.lane = done.lane
         and o.id = done.id
      """;

  private static final String PARK =
      """
      update wm_outbox o
         set state = 1,
             due = cast(:due as timestamptz),
             attempts = o.attempts + cast(o.id = :id as int),
             error = case when o.id = :id then :error else o.error end
        from wm_lane l
       where l.lane = :lane
         and l.holder = :node
         and o.lane = :lane
         and o.id >= :id
         and o.instance_id = :instance
         and o.sink = :sink
         and o.state in (0, 1)
         and exists (
           select 1
             from wm_outbox self
            where self.lane = :lane
              and self.id = :id
              and self.state in (0, 1))
      """;

  private static final String BURY =
      """
      update wm_outbox o
         set state = 2,
             due = null,
             attempts = o.attempts + 1,
             error = :error
        from wm_lane l
       where l.lane = :lane
         and l.holder = :node
         and o.lane = :lane
         and o.id = :id
      """;

  private static final String LISTENS =
      """
      update wm_node
         set sinks = :sinks
       where id = :node
         and sinks is distinct from :sinks
      """;

  private static final String LISTENERS =
      """
      select id, state = 0 as alive, valid_until, sinks
        from wm_node
       where sinks is not null
      """;

  private static final String VACUUM = "vacuum (truncate false) wm_outbox";
  private static final int VACUUM_AFTER = 20_000;

  private static final String BACKLOG =
      """
      select count(*) filter (where state = 0) as pending,
             count(*) filter (where state = 1) as parked,
             count(*) filter (where state = 2) as dead
        from wm_outbox
      """;

  private final Db db;
  private final PostgresLanes lanes;
  private final AtomicInteger turns = new AtomicInteger();
  private final AtomicInteger deleted = new AtomicInteger();
  private final AtomicBoolean vacuuming = new AtomicBoolean();

  public PostgresOutbox(Db db) {
    this.db = db;
    db.watch(NEXT);
    db.watch(DUE);
    this.lanes = new PostgresLanes(db);
  }

  @Override
  public List<Lane> lease(NodeId node, int most, Duration lease) {
    return lanes.lease(node, most, lease);
  }

  @Override
  public void listens(NodeId node, List<String> sinks) {
    db.run(
        "Saying who listens",
        handle ->
            handle
                .createUpdate(LISTENS)
                .bind("node", node.value())
                .bind("sinks", Json.write(sinks))
                .execute());
  }

  @Override
  public List<Listening> listeners() {
    return db.call(
        "Finding who listens",
        handle ->
            handle
                .createQuery(LISTENERS)
                .map(
                    (row, context) ->
                        Listening.of(
                            Columns.nodeId(row, "id"),
                            row.getBoolean("alive"),
                            Columns.instant(row, "valid_until"),
                            row.getString("sinks")))
                .list());
  }

  @Override
  public void release(NodeId node) {
    lanes.release(node);
  }

  @Override
  public List<Pending> next(Selection of, int limit) {
    if (of.lanes().isEmpty()) {
      return List.of();
    }
    return db.call(
        "Reading lanes",
        handle -> select(handle.createQuery(NEXT.text()), of, rotated(of.lanes()), limit));
  }

  private static List<Pending> select(Query query, Selection of, List<Integer> lanes, int limit) {
    List<Stream> without = List.copyOf(of.without());
    return query
        .bindArray("lanes", Integer.class, lanes)
        .bindArray("sinks", String.class, of.sinks())
        .bindArray("busy_lanes", Integer.class, without.stream().map(Stream::lane).toList())
        .bindArray("busy_sinks", String.class, without.stream().map(Stream::sink).toList())
        .bind("limit", limit)
        .map((row, context) -> pending(row))
        .list();
  }

  /** Each page begins with another lane, so that a long one does not starve those behind it. */
  private List<Integer> rotated(List<Lane> held) {
    List<Integer> numbers = new ArrayList<>(held.stream().map(Lane::lane).toList());
    Collections.rotate(numbers, -Math.floorMod(turns.getAndIncrement(), numbers.size()));
    return numbers;
  }

  @Override
  public List<Pending> due(Selection of, int limit) {
    return db.call(
        "Finding parked events",
        handle ->
            select(
                handle.createQuery(DUE.text()).bind("now", db.now()),
                of,
                of.lanes().stream().map(Lane::lane).toList(),
                limit));
  }

  @Override
  public @Nullable Instant nextDue() {
    return db.call(
        "Finding the next parked event",
        handle ->
            handle
                .createQuery(NEXT_DUE)
                .map((row, context) -> Columns.instant(row, "due"))
                .findOne()
                .orElse(null));
  }

  @Override
  public int delivered(NodeId node, List<Pending> events) {
    if (events.isEmpty()) {
      return 0;
    }
    int gone =
        db.call(
            "Deleting delivered events",
            handle ->
                handle
                    .createUpdate(DELIVERED)
                    .bind("node", node.value())
                    .bindArray("lanes", Integer.class, events.stream().map(Pending::lane).toList())
                    .bindArray("ids", Long.class, events.stream().map(Pending::id).toList())
                    .execute());
    if (deleted.addAndGet(gone) >= VACUUM_AFTER) {
      vacuum();
    }
    return gone;
  }

  // A lane is read from its head, and the head is where everything was deleted: until a vacuum, a
  // read steps over all of it. The server's own comes once a minute, and by then a busy outbox
  // reads hundreds of dead rows for each live one.
  private void vacuum() {
    if (vacuuming.compareAndSet(false, true)) {
      try {
        deleted.set(0);
        db.run("Vacuuming the outbox", handle -> handle.execute(VACUUM));
      } finally {
        vacuuming.set(false);
      }
    }
  }

  @Override
  public void park(NodeId node, Pending event, @Nullable Instant due, String error) {
    db.run(
        "Parking an event",
        handle -> {
          var update =
              due == null
                  ? handle.createUpdate(BURY)
                  : handle
                      .createUpdate(PARK)
                      .bind("due", Db.instant(Micros.roundUp(due)))
                      .bind("instance", event.instance().value())
                      .bind("sink", event.sink());
          update
              .bind("node", node.value())
              .bind("lane", event.lane())
              .bind("id", event.id())
              .bind("error", error)
              .execute();
        });
  }

  @Override
  public Backlog backlog() {
    return db.call(
        "Counting the outbox",
        handle ->
            handle
                .createQuery(BACKLOG)
                .map(
                    (row, context) ->
                        new Backlog(
                            row.getLong("pending"), row.getLong("parked"), row.getLong("dead")))
                .one());
  }

  private static Pending pending(ResultSet row) throws SQLException {
    return new Pending(
        row.getInt("lane"),
        row.getLong("id"),
        row.getString("sink"),
        row.getString("event_id"),
        Columns.instanceId(row, "instance_id"),
        row.getLong("version"),
        row.getInt("ordinal"),
        row.getString("type"),
        row.getString("data"),
        row.getInt("attempts"));
  }
}
