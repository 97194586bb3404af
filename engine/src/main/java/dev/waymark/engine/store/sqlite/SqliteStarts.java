package dev.waymark.engine.store.sqlite;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Definitions.DefinitionRow;
import dev.waymark.engine.store.Starts;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages that begin runs, on SQLite. Kind 2 is a wait for a message. */
final class SqliteStarts implements Starts {

  private static final String DEFINITIONS =
      """
      select d.id, d.tenant, d.key, d.version, d.source, d.created_by, d.created,
             d.activated, d.retired
        from wm_definition d
       where d.starts is not null
         and (:tenant is null or d.tenant = :tenant)
         and d.activated is not null
         and d.retired is null
         and not exists (select 1
                           from wm_definition newer
                          where newer.tenant = d.tenant
                            and newer.key = d.key
                            and newer.retired is null
                            and (newer.activated, newer.version) > (d.activated, d.version))
       order by d.tenant, d.key
       limit :limit
      """;

  private static final String OF =
      """
      select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
             m.correlation, m.expires
        from wm_inbox m
       where m.tenant = :tenant
         and m.source = :source
         and m.id = :id
         and m.state = 0
         and m.correlation is not null
         and (m.expires is null or m.expires > :now)
         and not exists (select 1
                           from wm_bookmark w
                          where w.tenant = m.tenant
                            and w.correlation = m.correlation
                            and w.key = m.name
                            and w.state = 0
                            and w.kind = 2)
      """;

  private static final String ALL =
      """
      select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
             m.correlation, m.expires
        from wm_inbox m
       where m.state = 0
         and m.correlation is not null
         and (m.expires is null or m.expires > :now)
         and m.tenant = :tenant
         and (m.correlation, m.name, m.received, m.source, m.id)
             > (:correlation, :name, :received, :source, :id)
         and not exists (select 1
                           from wm_bookmark w
                          where w.tenant = m.tenant
                            and w.correlation = m.correlation
                            and w.key = m.name
                            and w.state = 0
                            and w.kind = 2)
       order by m.correlation, m.name, m.received, m.source, m.id
       limit :limit
      """;

  private final Database database;

  SqliteStarts(Database database) {
    this.database = database;
  }

  @Override
  public List<DefinitionRow> definitions(@Nullable String tenant, int limit) {
    return database.read(
        session ->
            session
                .query(DEFINITIONS)
                .set("tenant", tenant)
                .set("limit", limit)
                .list(SqliteDefinitions::definition));
  }

  @Override
  public List<MessageRow> free(Collection<Message.Key> messages) {
    return database.read(
        session -> {
          List<MessageRow> free = new ArrayList<>();
          for (Message.Key key : messages) {
            free.addAll(
                session
                    .query(OF)
                    .set("tenant", key.tenant())
                    .set("source", key.source())
                    .set("id", key.id())
                    .set("now", database.now())
                    .list(Shapes::message));
          }
          return free;
        });
  }

  // A list of names cannot be bound here, so pages are read until one is full of those.
  @Override
  public List<MessageRow> free(String tenant, Collection<String> names, Place after, int limit) {
    Set<String> wanted = Set.copyOf(names);
    return database.read(
        session -> {
          List<MessageRow> free = new ArrayList<>();
          Place place = after;
          List<MessageRow> page;
          do {
            page = page(session, tenant, place, limit);
            for (MessageRow row : page) {
              place = Place.of(row);
              if (wanted.contains(row.name())) {
                free.add(row);
              }
              if (free.size() == limit) {
                return free;
              }
            }
          } while (page.size() == limit);
          return free;
        });
  }

  private List<MessageRow> page(Session session, String tenant, Place after, int limit)
      throws SQLException {
    return session
        .query(ALL)
        .set("tenant", tenant)
        .set("correlation", after.correlation())
        .set("name", after.name())
        .set("received", after.received())
        .set("source", after.source())
        .set("id", after.id())
        .set("limit", limit)
        .set("now", database.now())
        .list(Shapes::message);
  }
}
