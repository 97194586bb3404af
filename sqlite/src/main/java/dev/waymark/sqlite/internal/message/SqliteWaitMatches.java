package dev.waymark.sqlite.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.Correlations.MatchPlace;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Page;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds the messages that given instances wait for, on SQLite. */
final class SqliteWaitMatches {

  private static final String WAITS_OF =
      """
      select b.tenant, b.correlation, b.key
        from wm_bookmark b
       where b.instance_id = :instance
         and b.state = 0
         and b.kind = 2
         and b.correlation is not null
         and (b.correlation, b.key) >= (:correlation, :name)
       order by b.correlation, b.key
      """;

  private static final String MESSAGES_OF =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and correlation = :correlation
         and name = :name
         and state = 0
         and correlation is not null
         and (expires is null or expires > :now)
         and (received, source, id) > (:received, :source, :id)
       order by received, source, id
       limit :limit
      """;

  private final Database database;

  SqliteWaitMatches(Database database) {
    this.database = database;
  }

  Page<Match> pairs(Collection<InstanceId> instances, MatchPlace after, int limit) {
    SortedSet<InstanceId> left = new TreeSet<>(instances).tailSet(after.instance());
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(limit, SqliteWaitMatches::size);
          Map<Wanted, Place> last = new HashMap<>();
          for (InstanceId instance : left) {
            Place from = instance.equals(after.instance()) ? after.message() : Place.START;
            for (CorrelatedWait wait : waitsOf(session, instance, from)) {
              if (!wait.isAt(from)) {
                addOldest(session, wait, last, page);
              }
            }
            if (page.isFull()) {
              break;
            }
          }
          return page.page();
        });
  }

  Page<Match> to(Collection<InstanceId> instances, MatchPlace after, int limit) {
    SortedSet<InstanceId> left = new TreeSet<>(instances).tailSet(after.instance());
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(limit, SqliteWaitMatches::size);
          for (InstanceId instance : left) {
            Place from = instance.equals(after.instance()) ? after.message() : Place.START;
            for (CorrelatedWait wait : waitsOf(session, instance, from)) {
              addMessages(session, wait, from, page);
            }
            if (page.isFull()) {
              break;
            }
          }
          return page.page();
        });
  }

  private record CorrelatedWait(
      InstanceId instance, String tenant, String correlation, String name) {

    Wanted wanted() {
      return new Wanted(tenant, correlation, name);
    }

    /** Before all messages of this wait. */
    Place start() {
      return new Place(tenant, correlation, name, Instant.EPOCH, "", "");
    }

    boolean isAt(Place place) {
      return correlation.equals(place.correlation()) && name.equals(place.name());
    }
  }

  /** The messages that a wait is for. */
  private record Wanted(String tenant, String correlation, String name) {}

  private static List<CorrelatedWait> waitsOf(Session session, InstanceId instance, Place from)
      throws SQLException {
    return session
        .query(WAITS_OF)
        .set("instance", instance.value())
        .set("correlation", from.correlation())
        .set("name", from.name())
        .list(
            row ->
                new CorrelatedWait(
                    instance, row.text("tenant"), row.text("correlation"), row.text("key")));
  }

  /**
   * Adds the oldest message of a wait that no wait before it has.
   *
   * @param last the message that the last wait for the same has got
   */
  private void addOldest(
      Session session, CorrelatedWait wait, Map<Wanted, Place> last, PageDraft<Match> page)
      throws SQLException {
    Place behind = last.getOrDefault(wait.wanted(), wait.start());
    PageDraft<Match> oldest = new PageDraft<>(1, SqliteWaitMatches::size);
    addMessages(session, wait, behind, oldest);
    for (Match match : oldest.page()) {
      if (!page.isFull()) {
        page.add(match);
        last.put(wait.wanted(), Place.of(match.message()));
      }
    }
  }

  private void addMessages(Session session, CorrelatedWait wait, Place from, PageDraft<Match> page)
      throws SQLException {
    if (page.isFull()) {
      return;
    }
    Place after = wait.isAt(from) ? from : Place.START;
    session
        .query(MESSAGES_OF)
        .set("tenant", wait.tenant())
        .set("correlation", wait.correlation())
        .set("name", wait.name())
        .set("received", after.received())
        .set("source", after.source())
        .set("id", after.id())
        .set("limit", page.room())
        .set("now", database.now())
        .fill(page, row -> new Match(RowMappers.message(row), wait.instance()));
  }

  static long size(Match match) {
    return PageDraft.size(match.message());
  }
}
