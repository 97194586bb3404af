package dev.waymark.sqlite.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.RowMappers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Correlated messages on SQLite. Kind 2 is a wait for a message, whose key is its name. One look-up
 * by key after another: without a network in between, that is as cheap as a join.
 *
 * <p>Here are the statements about all messages; those about messages and waits that are given have
 * classes of their own.
 */
public final class SqliteCorrelations implements Correlations {

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
  private final SqliteMessageIntake intake;
  private final SqliteMessageTargets targets;
  private final SqliteWaitMatches matches;

  public SqliteCorrelations(Database database) {
    this.database = database;
    this.intake = new SqliteMessageIntake(database);
    this.targets = new SqliteMessageTargets(database);
    this.matches = new SqliteWaitMatches(database);
  }

  @Override
  public List<Stored> receive(List<MessageRow> messages) {
    return intake.receive(messages);
  }

  @Override
  public List<MessageRow> stored(Collection<Message.Key> messages) {
    return intake.stored(messages);
  }

  @Override
  public @Nullable MessageRow storedOn(Connection connection, Message.Key message) {
    return intake.storedOn(connection, message);
  }

  @Override
  public List<InstanceId> targets(Message.Key message, int limit) {
    return targets.targets(message, limit);
  }

  @Override
  public Page<Match> of(Collection<Message.Key> messages) {
    return targets.of(messages);
  }

  @Override
  public Page<Match> pairs(Collection<InstanceId> instances, MatchPlace after, int limit) {
    return matches.pairs(instances, after, limit);
  }

  @Override
  public Page<Match> to(Collection<InstanceId> instances, MatchPlace after, int limit) {
    return matches.to(instances, after, limit);
  }

  @Override
  public Page<Match> matchable(Place after, int limit) {
    return database.read(
        session -> {
          PageDraft<Match> page = new PageDraft<>(limit, SqliteWaitMatches::size);
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
          for (MessageRow row : targets.message(session, message)) {
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
