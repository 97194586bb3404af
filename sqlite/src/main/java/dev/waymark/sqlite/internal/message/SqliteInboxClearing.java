package dev.waymark.sqlite.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.engine.store.Inbox.Cleared;
import dev.waymark.engine.store.Inbox.Place;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.RowMappers;
import java.sql.SQLException;

/** Removes messages that no instance can ever spend, page by page, on SQLite. */
final class SqliteInboxClearing {

  // A page counts the messages that are looked at, not those that are removed: so all pages
  // together read each waiting message once.
  private static final String CLEAR =
      """
      delete from wm_inbox
       where rowid in (
         select m.rowid
           from (select rowid, tenant, instance_id, name, received
                   from wm_inbox
                  where state = 0
                    and instance_id >= :instance
                    and (instance_id, received, tenant, source, id)
                        > (:instance, :received, :tenant, :source, :id)
                  order by instance_id, received, tenant, source, id
                  limit :limit) m
          where case
                  when (select i.status from wm_instance i where i.id = m.instance_id) >= 2 then
                    true
                  when m.name = '$start' then
                    exists (select 1 from wm_instance i where i.id = m.instance_id)
                  when m.name like '$signal:%' then
                    not exists (select 1 from wm_bookmark b
                                 where b.instance_id = m.instance_id
                                   and b.state = 0
                                   and b.kind = 2
                                   and b.key = m.name
                                   and b.created <= m.received + :skew)
                  else
                    m.received < :latest
                    and not exists (select 1 from wm_instance i
                                     where i.id = m.instance_id and i.tenant = m.tenant)
                end)
      """;

  private static final String LAST_OF_PAGE =
      """
      select m.instance_id, m.received, m.tenant, m.source, m.id
        from (select instance_id, received, tenant, source, id
                from wm_inbox
               where state = 0
                 and instance_id >= :instance
                 and (instance_id, received, tenant, source, id)
                     > (:instance, :received, :tenant, :source, :id)
               order by instance_id, received, tenant, source, id
               limit :limit) m
       order by m.instance_id desc, m.received desc, m.tenant desc, m.source desc, m.id desc
       limit 1
      """;

  private final Database database;

  SqliteInboxClearing(Database database) {
    this.database = database;
  }

  Cleared clear(Place after, int limit) {
    return database.write(
        session -> {
          Place last =
              SqliteInbox.behind(session.query(LAST_OF_PAGE), after, limit)
                  .set("instance", after.instance().value())
                  .first(SqliteInboxClearing::place);
          int removed =
              SqliteInbox.page(session.query(CLEAR), after, limit)
                  .set("instance", after.instance().value())
                  .set("latest", database.now().minus(Limits.MESSAGE_FOR_NOBODY))
                  .update();
          return new Cleared(removed, last);
        });
  }

  private static Place place(Row row) throws SQLException {
    return new Place(row.instance("instance_id"), row.instant("received"), RowMappers.key(row));
  }
}
