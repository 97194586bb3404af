package dev.waymark.sqlite.internal.message;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.Starts;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.table.SqliteDefinitions;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages that begin runs, on SQLite. Kind 2 is a wait for a message. */
public final class SqliteStarts implements Starts {

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
         and m.name in (select value from json_each(:names))
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

  public SqliteStarts(Database database) {
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
  public Page<MessageRow> free(Collection<Message.Key> messages) {
    return database.read(
        session -> {
          PageDraft<MessageRow> page = PageDraft.ofMessages(messages.size() + 1);
          for (Message.Key key : messages) {
            session
                .query(OF)
                .set("tenant", key.tenant())
                .set("source", key.source())
                .set("id", key.id())
                .set("now", database.now())
                .fill(page, RowMappers::message);
            if (page.isFull()) {
              break;
            }
          }
          return page.page();
        });
  }

  @Override
  public Page<MessageRow> free(String tenant, Collection<String> names, Place after, int limit) {
    return database.read(
        session -> {
          PageDraft<MessageRow> page = PageDraft.ofMessages(limit);
          session
              .query(ALL)
              .set("tenant", tenant)
              .set("names", Json.write(List.copyOf(names)))
              .set("correlation", after.correlation())
              .set("name", after.name())
              .set("received", after.received())
              .set("source", after.source())
              .set("id", after.id())
              .set("limit", limit)
              .set("now", database.now())
              .fill(page, RowMappers::message);
          return page.page();
        });
  }
}
