package dev.waymark.sqlite.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.MessageWriter;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.Session;
import dev.waymark.sqlite.internal.file.SqliteFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Correlated messages on SQLite. Kind 2 is a wait for a message, whose key is its name. One look-up
 * by key after another: without a network in between, that is as cheap as a join.
 */
public final class SqliteCorrelations implements Correlations {

  private static final String WAITS =
      """
      select b.instance_id
        from wm_bookmark b
       where b.tenant = :tenant
         and b.correlation = :correlation
         and b.key = :name
         and b.state = 0
         and b.kind = 2
       order by b.created, b.instance_id
       limit :limit
      """;

  private static final String MESSAGE =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
         and state = 0
         and correlation is not null
         and (expires is null or expires > :now)
      """;

  private static final String STORED =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
      """;

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

  private static final String MATCHABLE =
      """
      select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
             m.correlation, m.expires,
             (select b.instance_id
                from wm_bookmark b
               where b.tenant = m.tenant
                 and b.correlation = m.correlation
                 and b.key = m.name
                 and b.state = 0
                 and b.kind = 2
               order by b.created, b.instance_id
               limit 1) as target
        from wm_inbox m
       where m.state = 0
         and m.correlation is not null
         and (m.expires is null or m.expires > :now)
         and (m.tenant, m.correlation, m.name, m.received, m.source, m.id)
             > (:tenant, :correlation, :name, :received, :source, :id)
         and exists (select 1
                       from wm_bookmark b
                      where b.tenant = m.tenant
                        and b.correlation = m.correlation
                        and b.key = m.name
                        and b.state = 0
                        and b.kind = 2)
       order by m.tenant, m.correlation, m.name, m.received, m.source, m.id
       limit :limit
      """;

  private static final String WAITING =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where state = 0
         and correlation is not null
         and (expires is null or expires > :now)
         and tenant = :tenant
         and (correlation, name, received, source, id)
             > (:correlation, :name, :received, :source, :id)
       order by correlation, name, received, source, id
       limit :limit
      """;

  private static final String EXPIRE =
      """
      delete from wm_inbox
       where rowid in (select rowid
                         from wm_inbox
                        where state = 0
                          and expires is not null
                          and expires <= :now
                        order by expires
                        limit :limit)
      """;

  private static final String SAME_CORRELATION =
      """
      select b.instance_id, b.key, b.correlation
        from wm_bookmark b
       where b.tenant = :tenant
         and b.correlation = :correlation
         and b.state = 0
         and b.kind = 2
       limit :limit
      """;

  private static final String SAME_NAME =
      """
      select b.instance_id, b.key, b.correlation
        from wm_bookmark b
       where b.tenant = :tenant
         and b.key = :name
         and b.key not like '$ended:%'
         and b.state = 0
         and b.kind = 2
       limit :limit
      """;

  private final Database database;

  public SqliteCorrelations(Database database) {
    this.database = database;
  }

  @Override
  public List<Stored> receive(List<MessageRow> messages) {
    return database.write(
        session -> {
          List<Stored> stored = new ArrayList<>(messages.size());
          for (MessageRow message : messages) {
            boolean fresh = MessageWriter.store(session, message);
            List<InstanceId> targets = waits(session, message, 1);
            stored.add(new Stored(fresh, targets.isEmpty() ? null : targets.get(0)));
          }
          return stored;
        });
  }

  private static List<InstanceId> waits(Session session, MessageRow message, int limit)
      throws SQLException {
    return message.correlation() == null
        ? List.of()
        : session
            .query(WAITS)
            .set("tenant", message.key().tenant())
            .set("correlation", message.correlation())
            .set("name", message.name())
            .set("limit", limit)
            .list(row -> row.instance("instance_id"));
  }

  private List<MessageRow> message(Session session, Message.Key key) throws SQLException {
    return session
        .query(MESSAGE)
        .set("tenant", key.tenant())
        .set("source", key.source())
        .set("id", key.id())
        .set("now", database.now())
        .list(RowMappers::message);
  }

  @Override
  public List<MessageRow> stored(Collection<Message.Key> messages) {
    return database.read(
        session -> {
          List<MessageRow> stored = new ArrayList<>();
          for (Message.Key key : messages) {
            stored.addAll(
                session
                    .query(STORED)
                    .set("tenant", key.tenant())
                    .set("source", key.source())
                    .set("id", key.id())
                    .list(RowMappers::message));
          }
          return stored;
        });
  }

  @Override
  public @Nullable MessageRow storedOn(Connection connection, Message.Key message) {
    try {
      return database
          .sessionOf(connection)
          .query(STORED)
          .set("tenant", message.tenant())
          .set("source", message.source())
          .set("id", message.id())
          .first(RowMappers::message);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }

  @Override
  public List<InstanceId> targets(Message.Key message, int limit) {
    return database.read(
        session -> {
          List<InstanceId> targets = new ArrayList<>();
          for (MessageRow row : message(session, message)) {
            targets.addAll(waits(session, row, limit));
          }
          return targets;
        });
  }

  @Override
  public Page<Match> of(Collection<Message.Key> messages) {
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(messages.size() + 1, SqliteCorrelations::size);
          for (Message.Key key : messages) {
            for (MessageRow row : message(session, key)) {
              waits(session, row, 1).forEach(target -> page.add(new Match(row, target)));
            }
            if (page.isFull()) {
              break;
            }
          }
          return page.page();
        });
  }

  @Override
  public Page<Match> pairs(Collection<InstanceId> instances, MatchPlace after, int limit) {
    SortedSet<InstanceId> left = new TreeSet<>(instances).tailSet(after.instance());
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(limit, SqliteCorrelations::size);
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

  @Override
  public Page<Match> to(Collection<InstanceId> instances, MatchPlace after, int limit) {
    SortedSet<InstanceId> left = new TreeSet<>(instances).tailSet(after.instance());
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(limit, SqliteCorrelations::size);
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
    PageDraft<Match> oldest = new PageDraft<>(1, SqliteCorrelations::size);
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

  @Override
  public Page<Match> matchable(Place after, int limit) {
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(limit, SqliteCorrelations::size);
          behind(session.query(MATCHABLE), after, limit)
              .fill(page, row -> new Match(RowMappers.message(row), row.instance("target")));
          return page.page();
        });
  }

  private Query behind(Query query, Place after, int limit) throws SQLException {
    return query
        .set("tenant", after.tenant())
        .set("correlation", after.correlation())
        .set("name", after.name())
        .set("received", after.received())
        .set("source", after.source())
        .set("id", after.id())
        .set("limit", limit)
        .set("now", database.now());
  }

  private static long size(Match match) {
    return PageDraft.size(match.message());
  }

  @Override
  public Page<MessageRow> waiting(String tenant, Place after, int limit) {
    Place from = after.tenant().equals(tenant) ? after : Place.startOf(tenant);
    return database.read(
        session -> {
          PageDraft<MessageRow> page = PageDraft.ofMessages(limit);
          behind(session.query(WAITING), from, limit).fill(page, RowMappers::message);
          return page.page();
        });
  }

  @Override
  public int expire(int limit) {
    return database.write(
        session -> session.query(EXPIRE).set("now", database.now()).set("limit", limit).update());
  }

  @Override
  public List<NearMiss> nearMisses(Message.Key message, int limit) {
    return database.read(
        session -> {
          Set<NearMiss> near = new LinkedHashSet<>();
          for (MessageRow row : message(session, message)) {
            String tenant = row.key().tenant();
            Query same = session.query(SAME_CORRELATION).set("correlation", row.correlation());
            near.addAll(near(same, tenant, limit));
            near.addAll(near(session.query(SAME_NAME).set("name", row.name()), tenant, limit));
          }
          return near.stream().limit(limit).toList();
        });
  }

  private static List<NearMiss> near(Query query, String tenant, int limit) throws SQLException {
    return query
        .set("tenant", tenant)
        .set("limit", limit)
        .list(
            row ->
                new NearMiss(
                    row.instance("instance_id"), row.text("key"), row.textOrNull("correlation")));
  }
}
