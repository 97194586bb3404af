package dev.waymark.sqlite.internal.table;

import dev.waymark.core.Json;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.query.OpenTimer;
import dev.waymark.engine.store.Duties;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Duties on SQLite: each a walk along one partial index. */
public final class SqliteDuties implements Duties {

  // Only a ready visit has a due time; the schema says so.
  private static final String READY =
      """
      select instance_id, visit, crashes
        from wm_activity_instance
       where due <= :now
         and crashes <= :max_crashes
       order by due, instance_id, visit
       limit :limit
      """;

  private static final String NEXT_READY =
      """
      select due
        from wm_activity_instance
       where due is not null
         and crashes <= :max_crashes
       order by due
       limit 1
      """;

  private static final String DUE_TIMERS =
      """
      select instance_id, tag
        from wm_bookmark
       where state = 0
         and kind = 1
         and due <= :now
       order by due, instance_id, tag
       limit :limit
      """;

  private static final String NEXT_TIMER =
      """
      select due from wm_bookmark where state = 0 and kind = 1 order by due limit 1
      """;

  private static final String NEXT_TIMER_AFTER =
      """
      select due
        from wm_bookmark
       where state = 0
         and kind = 1
         and due > :after
       order by due
       limit 1
      """;

  private static final String NEXT_WORK =
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
                 and crashes <= :max_crashes
               order by due
               limit 1) as ready,
             (select min(moment)
                from (select (select min(expires)
                                from wm_bookmark
                               where state = 0
                                 and expires is not null) as moment
                      union all
                      select (select min(due)
                                from wm_bookmark
                               where state = 0
                                 and kind = 3
                                 and due is not null))) as out_of_time,
             (select due
                from wm_schedule
               where due is not null
               order by due
               limit 1) as schedule,
             exists (select 1
                       from wm_outbox
                      where lane in (select value from json_each(:lanes))
                        and state = 0
                        and sink in (select value from json_each(:sinks))) as events
      """;

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

  // An anti-join, because a node that was never entered is not alive either.
  private static final String STRANDED =
      """
      select a.instance_id, a.visit, a.attempt, a.node
        from wm_activity_instance a
       where a.node is not null
         and not exists (select 1 from wm_node n where n.id = a.node and n.state = 0)
       order by a.node, a.instance_id, a.visit
       limit :limit
      """;

  private static final String RUNNING_ON =
      """
      select instance_id, visit, attempt, node
        from wm_activity_instance
       where node = :node
       order by instance_id, visit
       limit :limit
      """;

  private static final String STILL_RUNNING =
      """
      select 1
        from wm_activity_instance
       where instance_id = :instance
         and visit = :visit
         and attempt = :attempt
         and node = :node
      """;

  private final Database database;

  public SqliteDuties(Database database) {
    this.database = database;
  }

  @Override
  public NextWork nextWork(int maxCrashes, List<Lane> lanes, List<String> sinks) {
    return database
        .read(
            session ->
                session
                    .query(NEXT_WORK)
                    .set("max_crashes", maxCrashes)
                    .set("lanes", Json.write(lanes.stream().map(Lane::lane).toList()))
                    .set("sinks", Json.write(sinks))
                    .list(SqliteDuties::nextWork))
        .getFirst();
  }

  private static NextWork nextWork(Row row) throws SQLException {
    return new NextWork(
        row.instantOrNull("timer"),
        row.instantOrNull("ready"),
        row.instantOrNull("out_of_time"),
        row.instantOrNull("schedule"),
        row.number("events") == 1);
  }

  @Override
  public List<Ready> ready(int limit, int maxCrashes) {
    return database.read(
        session ->
            session
                .query(READY)
                .set("now", database.now())
                .set("limit", limit)
                .set("max_crashes", maxCrashes)
                .list(
                    row ->
                        new Ready(
                            row.instance("instance_id"),
                            row.number("visit"),
                            (int) row.number("crashes"))));
  }

  @Override
  public @Nullable Instant nextReady(int maxCrashes) {
    return database.find(
        session ->
            session
                .query(NEXT_READY)
                .set("max_crashes", maxCrashes)
                .first(row -> row.instant("due")));
  }

  @Override
  public List<BookmarkId> dueTimers(int limit) {
    return database.read(
        session ->
            session
                .query(DUE_TIMERS)
                .set("now", database.now())
                .set("limit", limit)
                .list(Row::bookmark));
  }

  @Override
  public @Nullable Instant nextTimer() {
    return database.find(session -> due(session, NEXT_TIMER));
  }

  @Override
  public @Nullable Instant nextTimer(Instant after) {
    return database.find(
        session ->
            session.query(NEXT_TIMER_AFTER).set("after", after).first(row -> row.instant("due")));
  }

  @Override
  public List<OpenTimer> timers(String tenant, Instant dueUpTo, int limit) {
    return database.read(
        session ->
            session
                .query(TIMERS)
                .set("tenant", tenant)
                .set("up_to", dueUpTo)
                .set("limit", limit)
                .list(row -> new OpenTimer(row.bookmark(), row.text("key"), row.instant("due"))));
  }

  private static @Nullable Instant due(Session session, String sql) throws SQLException {
    return session.query(sql).first(row -> row.instant("due"));
  }

  @Override
  public List<Running> stranded(int limit) {
    return database.read(
        session -> session.query(STRANDED).set("limit", limit).list(SqliteDuties::running));
  }

  @Override
  public List<Running> runningOn(NodeId node, int limit) {
    return database.read(
        session ->
            session
                .query(RUNNING_ON)
                .set("node", node.value())
                .set("limit", limit)
                .list(SqliteDuties::running));
  }

  private static Running running(Row row) throws SQLException {
    return new Running(
        row.instance("instance_id"),
        row.number("visit"),
        row.smallNumber("attempt"),
        row.node("node"));
  }

  @Override
  public List<Running> superseded(List<Running> believed) {
    return database.read(
        session -> {
          List<Running> superseded = new ArrayList<>();
          for (Running running : believed) {
            if (!isStillRunning(session, running)) {
              superseded.add(running);
            }
          }
          return superseded;
        });
  }

  private static boolean isStillRunning(Session session, Running running) throws SQLException {
    return session
        .query(STILL_RUNNING)
        .set("instance", running.instance().value())
        .set("visit", running.visit())
        .set("attempt", running.attempt())
        .set("node", running.node().value())
        .exists();
  }
}
