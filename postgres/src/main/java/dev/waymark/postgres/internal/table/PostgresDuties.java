package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.query.OpenTimer;
import dev.waymark.engine.store.Duties;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Pools;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class PostgresDuties implements Duties {

  private static final HotStatement READY =
      HotStatement.of(
          "ready visits",
          "now timestamptz, max_crashes int4, limit int4",
          """
          select instance_id, visit, crashes
            from wm_activity_instance
           where due <= coalesce(cast(:now as timestamptz), statement_timestamp())
             and state = 0
             and crashes <= :max_crashes
           order by due
           limit :limit
          """);

  private static final HotStatement NEXT_READY =
      HotStatement.of(
              "the next ready visit",
              "max_crashes int4",
              """
              select due
                from wm_activity_instance
               where due is not null
                 and state = 0
                 and crashes <= :max_crashes
               order by due
               limit 1
              """)
          .readingWhole("wm_activity_instance_due");

  private static final HotStatement DUE_TIMERS =
      HotStatement.of(
          "due timers",
          "now timestamptz, limit int4",
          """
          select instance_id, tag
            from wm_bookmark
           where state = 0
             and kind = 1
             and due <= coalesce(cast(:now as timestamptz), statement_timestamp())
           order by due
           limit :limit
          """);

  private static final HotStatement NEXT_TIMER =
      HotStatement.of(
              "the next timer",
              "",
              """
              select due
                from wm_bookmark
               where state = 0
                 and kind = 1
               order by due
               limit 1
              """)
          .readingWhole("wm_bookmark_timer");

  private static final HotStatement NEXT_TIMER_AFTER =
      HotStatement.of(
          "the next timer after a moment",
          "after timestamptz",
          """
          select due
            from wm_bookmark
           where state = 0
             and kind = 1
             and due > :after
           order by due
           limit 1
          """);

  // One row, and each column from the first entry of an index: what an idle node asks once a
  // second.
  private static final HotStatement NEXT_WORK =
      HotStatement.of(
              "the next work of a node",
              "max_crashes int4, lanes int4[], sinks text[]",
              """
              select (select due
                        from wm_bookmark
                       where state = 0
                         and kind = 1
                       order by due
                       limit 1) as timer,
                     (select due
                        from wm_activity_instance
                       where due is not null
                         and state = 0
                         and crashes <= :max_crashes
                       order by due
                       limit 1) as ready,
                     least((select expires
                              from wm_bookmark
                             where state = 0
                               and expires is not null
                             order by expires
                             limit 1),
                           (select due
                              from wm_bookmark
                             where state = 0
                               and kind = 3
                               and due is not null
                             order by due
                             limit 1)) as out_of_time,
                     (select due
                        from wm_schedule
                       where due is not null
                       order by due
                       limit 1) as schedule,
                     exists (select 1
                               from unnest(:lanes) as held (lane)
                              cross join lateral (
                                select 1
                                  from wm_outbox pending
                                 where pending.lane = held.lane
                                   and pending.state = 0
                                   and pending.sink = any (:sinks)
                                 limit 1
                              ) found) as events
              """)
          .readingWhole(
              "wm_bookmark_timer",
              "wm_activity_instance_due",
              "wm_bookmark_expires",
              "wm_bookmark_escalation",
              "wm_schedule_due");

  private static final String TIMERS =
      """
      select instance_id, tag, key, due
        from wm_bookmark
       where state = 0
         and kind = 1
         and tenant = :tenant
         and due <= :up_to
       order by due, instance_id, tag
       limit :limit
      """;

  // Visits of nodes that are not alive, instead of a join with the dead ones: a node without a row
  // is not alive either.
  private static final HotStatement STRANDED =
      HotStatement.of(
          "stranded visits",
          "limit int4",
          """
          select instance_id, visit, attempt, node
            from wm_activity_instance a
           where node is not null
             and not exists (select 1 from wm_node n where n.id = a.node and n.state = 0)
           order by node
           limit :limit
          """);

  private static final HotStatement RUNNING_ON =
      HotStatement.of(
          "visits of a node",
          "node uuid, limit int4",
          """
          select instance_id, visit, attempt, node
            from wm_activity_instance
           where node = :node
           order by instance_id, visit
           limit :limit
          """);

  private static final HotStatement SUPERSEDED =
      HotStatement.of(
          "superseded visits",
          "instances uuid[], visits int8[], attempts int4[], nodes uuid[]",
          """
          select believed.instance_id, believed.visit, believed.attempt, believed.node
            from unnest(:instances, :visits, :attempts, :nodes) with ordinality
                 as believed (instance_id, visit, attempt, node, n)
            left join wm_activity_instance a
              on a.instance_id = believed.instance_id and a.visit = believed.visit
           where a.attempt is distinct from believed.attempt
              or a.node is distinct from believed.node
           order by n
          """);

  private final Db db;
  private final DatabaseClock clock;
  private final HotQuery<NextWork> nextWork;
  private final HotQuery<Ready> ready;
  private final HotQuery<Instant> nextReady;
  private final HotQuery<BookmarkId> dueTimers;
  private final HotQuery<Instant> nextTimer;
  private final HotQuery<Instant> nextTimerAfter;

  public PostgresDuties(Db db, Pools pools, DatabaseClock clock) {
    this.db = db;
    db.watch(STRANDED);
    db.watch(RUNNING_ON);
    db.watch(SUPERSEDED);
    this.clock = clock;
    nextWork = new HotQuery<>(pools, "Finding the next work", NEXT_WORK, PostgresDuties::nextWork);
    ready = new HotQuery<>(pools, "Finding ready visits", READY, PostgresDuties::ready);
    nextReady =
        new HotQuery<>(pools, "Finding the next ready visit", NEXT_READY, PostgresDuties::due);
    dueTimers = new HotQuery<>(pools, "Finding due timers", DUE_TIMERS, PostgresDuties::timer);
    nextTimer = new HotQuery<>(pools, "Finding the next timer", NEXT_TIMER, PostgresDuties::due);
    nextTimerAfter =
        new HotQuery<>(pools, "Finding a later timer", NEXT_TIMER_AFTER, PostgresDuties::due);
  }

  @Override
  public NextWork nextWork(int maxCrashes, List<Lane> lanes, List<String> sinks) {
    return nextWork
        .ask(
            Map.of(
                "max_crashes", maxCrashes,
                "lanes", lanes.stream().map(Lane::lane).toArray(Integer[]::new),
                "sinks", sinks.toArray(String[]::new)))
        .getFirst();
  }

  private static NextWork nextWork(ResultSet row) throws SQLException {
    return new NextWork(
        Columns.instantOrNull(row, "timer"),
        Columns.instantOrNull(row, "ready"),
        Columns.instantOrNull(row, "out_of_time"),
        Columns.instantOrNull(row, "schedule"),
        row.getBoolean("events"));
  }

  @Override
  public List<Ready> ready(int limit, int maxCrashes) {
    Map<String, @Nullable Object> values = page(limit);
    values.put("max_crashes", maxCrashes);
    return ready.ask(values);
  }

  @Override
  public @Nullable Instant nextReady(int maxCrashes) {
    return nextReady.askOne(Map.of("max_crashes", maxCrashes));
  }

  @Override
  public List<BookmarkId> dueTimers(int limit) {
    return dueTimers.ask(page(limit));
  }

  @Override
  public @Nullable Instant nextTimer() {
    return nextTimer.askOne(Map.of());
  }

  @Override
  public @Nullable Instant nextTimer(Instant after) {
    return nextTimerAfter.askOne(Map.of("after", after));
  }

  private Map<String, @Nullable Object> page(int limit) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("now", clock.virtualNow());
    values.put("limit", limit);
    return values;
  }

  private static Ready ready(ResultSet row) throws SQLException {
    return new Ready(
        Columns.instanceId(row, "instance_id"), row.getLong("visit"), row.getInt("crashes"));
  }

  private static BookmarkId timer(ResultSet row) throws SQLException {
    return new BookmarkId(Columns.instanceId(row, "instance_id"), row.getLong("tag"));
  }

  private static Instant due(ResultSet row) throws SQLException {
    return Columns.instant(row, "due");
  }

  @Override
  public List<OpenTimer> timers(String tenant, Instant dueUpTo, int limit) {
    return db.call(
        "Listing timers",
        handle ->
            handle
                .createQuery(TIMERS)
                .bind("tenant", tenant)
                .bind("up_to", Db.instant(dueUpTo))
                .bind("limit", limit)
                .map(
                    (row, context) ->
                        new OpenTimer(
                            new BookmarkId(
                                Columns.instanceId(row, "instance_id"), row.getLong("tag")),
                            row.getString("key"),
                            Columns.instant(row, "due")))
                .list());
  }

  @Override
  public List<Running> stranded(int limit) {
    return db.call(
        "Finding stranded visits",
        handle ->
            handle
                .createQuery(STRANDED.text())
                .bind("limit", limit)
                .map((row, context) -> running(row))
                .list());
  }

  @Override
  public List<Running> runningOn(NodeId node, int limit) {
    return db.call(
        "Listing a node's visits",
        handle ->
            handle
                .createQuery(RUNNING_ON.text())
                .bind("node", node.value())
                .bind("limit", limit)
                .map((row, context) -> running(row))
                .list());
  }

  @Override
  public List<Running> superseded(List<Running> believed) {
    if (believed.isEmpty()) {
      return List.of();
    }
    return db.call(
        "Comparing running visits",
        handle ->
            handle
                .createQuery(SUPERSEDED.text())
                .bindArray(
                    "instances",
                    UUID.class,
                    believed.stream().map(r -> r.instance().value()).toList())
                .bindArray("visits", Long.class, believed.stream().map(Running::visit).toList())
                .bindArray(
                    "attempts", Integer.class, believed.stream().map(Running::attempt).toList())
                .bindArray(
                    "nodes", UUID.class, believed.stream().map(r -> r.node().value()).toList())
                .map((row, context) -> running(row))
                .list());
  }

  private static Running running(ResultSet row) throws SQLException {
    return new Running(
        Columns.instanceId(row, "instance_id"),
        row.getLong("visit"),
        row.getInt("attempt"),
        Columns.nodeId(row, "node"));
  }
}
