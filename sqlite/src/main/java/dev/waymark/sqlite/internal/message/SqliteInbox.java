package dev.waymark.sqlite.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.MessageWriter;
import dev.waymark.sqlite.internal.file.Micros;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.SqliteFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The inbox on SQLite. */
public final class SqliteInbox implements Inbox {

  private static final String WAITING_FOR =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where instance_id = :instance
         and state = 0
         and tenant = :tenant
         and (received, source, id) > (:received, :source, :id)
       order by received, source, id
       limit :limit
      """;

  // Kind 2 is EXTERNAL_MESSAGE; such a bookmark's key is the name of the message it waits for. Only
  // rowids are sorted: payloads are read in that order, and only until the page is full.
  private static final String MATCHABLE =
      """
      select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
             m.correlation, m.expires
        from (select m.rowid as place
                from wm_inbox m
               where m.state = 0
                 and m.instance_id >= :instance
                 and (m.instance_id, m.received, m.tenant, m.source, m.id)
                     > (:instance, :received, :tenant, :source, :id)
                 and case
                       when m.name = '$start' then
                         not exists (select 1 from wm_instance i where i.id = m.instance_id)
                       when m.name = '$cancel' then
                         (select i.status from wm_instance i where i.id = m.instance_id) < 2
                       else
                         exists (select 1 from wm_bookmark b
                                  where b.instance_id = m.instance_id
                                    and b.tenant = m.tenant
                                    and b.state = 0
                                    and b.kind = 2
                                    and b.key = m.name
                                    and (m.name not like '$signal:%'
                                         or b.created <= m.received + :skew))
                     end
               order by m.instance_id, m.received, m.tenant, m.source, m.id
               limit :limit) found
       cross join wm_inbox m on m.rowid = found.place
      """;

  private static final String MATCHABLE_OF =
      """
      select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
             m.correlation, m.expires
        from (select m.rowid as place
                from wm_inbox m
               where m.state = 0
                 and m.instance_id = :instance
                 and (m.received, m.tenant, m.source, m.id) > (:received, :tenant, :source, :id)
                 and case
                       when m.name = '$start' then
                         not exists (select 1 from wm_instance i where i.id = m.instance_id)
                       when m.name = '$cancel' then
                         (select i.status from wm_instance i where i.id = m.instance_id) < 2
                       else
                         exists (select 1 from wm_bookmark b
                                  where b.instance_id = m.instance_id
                                    and b.tenant = m.tenant
                                    and b.state = 0
                                    and b.kind = 2
                                    and b.key = m.name
                                    and (m.name not like '$signal:%'
                                         or b.created <= m.received + :skew))
                     end
               order by m.received, m.tenant, m.source, m.id
               limit :limit) found
       cross join wm_inbox m on m.rowid = found.place
      """;

  private static final String REMOVE =
      """
      delete from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
         and state = 0
      """;

  private static final String WAITING =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
         and (instance_id = :instance or correlation is not null)
         and state = 0
      """;

  private final Database database;
  private final SqliteInboxClearing clearing;

  public SqliteInbox(Database database) {
    this.database = database;
    this.clearing = new SqliteInboxClearing(database);
  }

  @Override
  public boolean receive(MessageRow message) {
    return database.write(session -> MessageWriter.store(session, message));
  }

  @Override
  public boolean receiveOn(Connection connection, MessageRow message) {
    try {
      return MessageWriter.store(database.sessionOf(connection), message);
    } catch (SQLException e) {
      throw SqliteFault.of(e);
    }
  }

  @Override
  public Page<MessageRow> waitingFor(String tenant, InstanceId instance, Place after, int limit) {
    return database.read(
        session -> {
          PageDraft<MessageRow> page = PageDraft.ofMessages(limit);
          session
              .query(WAITING_FOR)
              .set("instance", instance.value())
              .set("tenant", tenant)
              .set("received", after.received())
              .set("source", after.key().source())
              .set("id", after.key().id())
              .set("limit", limit)
              .fill(page, RowMappers::message);
          return page.page();
        });
  }

  @Override
  public boolean isWaiting(Message.Key key, InstanceId addressee) {
    return database.read(
        session ->
            session
                    .query(WAITING)
                    .set("tenant", key.tenant())
                    .set("source", key.source())
                    .set("id", key.id())
                    .set("instance", addressee.value())
                    .first(RowMappers::message)
                != null);
  }

  // One instance after another: without a network in between, each is a look-up by key.
  @Override
  public Page<MessageRow> matchableOf(Collection<InstanceId> instances, Place after, int limit) {
    SortedSet<InstanceId> left = new TreeSet<>(instances).tailSet(after.instance());
    return database.read(
        session -> {
          PageDraft<MessageRow> page = PageDraft.ofMessages(limit);
          for (InstanceId instance : left) {
            Place from = instance.equals(after.instance()) ? after : Place.START;
            page(session.query(MATCHABLE_OF), from, page.room())
                .set("instance", instance.value())
                .fill(page, RowMappers::message);
            if (page.isFull()) {
              break;
            }
          }
          return page.page();
        });
  }

  @Override
  public Page<MessageRow> matchable(Place after, int limit) {
    return database.read(
        session -> {
          PageDraft<MessageRow> page = PageDraft.ofMessages(limit);
          page(session.query(MATCHABLE), after, limit)
              .set("instance", after.instance().value())
              .fill(page, RowMappers::message);
          return page.page();
        });
  }

  static Query page(Query query, Place after, int limit) throws SQLException {
    return behind(query, after, limit).set("skew", Micros.of(Limits.CLOCK_SKEW));
  }

  static Query behind(Query query, Place after, int limit) throws SQLException {
    return query
        .set("received", after.received())
        .set("tenant", after.key().tenant())
        .set("source", after.key().source())
        .set("id", after.key().id())
        .set("limit", limit);
  }

  @Override
  public boolean replace(Message.Key waiting, @Nullable MessageRow instead) {
    return database.write(
        session -> {
          int removed =
              session
                  .query(REMOVE)
                  .set("tenant", waiting.tenant())
                  .set("source", waiting.source())
                  .set("id", waiting.id())
                  .update();
          if (removed == 1 && instead != null) {
            MessageWriter.store(session, instead);
          }
          return removed == 1;
        });
  }

  @Override
  public Cleared clear(Place after, int limit) {
    return clearing.clear(after, limit);
  }
}
