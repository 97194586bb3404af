package dev.waymark.engine.store.sqlite;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/** The inbox on SQLite. */
final class SqliteInbox implements Inbox {

  private static final String STORE =
      """
      insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received)
      values (:tenant, :source, :id, :instance, :name, :payload, :sender, :received)
      on conflict (tenant, source, id) do nothing
      """;

  private static final String WAITING_FOR =
      """
      select tenant, source, id, instance_id, name, payload, sender, received
        from wm_inbox
       where instance_id = :instance
         and state = 0
       order by received, rowid
       limit :limit
      """;

  // Kind 2 is EXTERNAL_MESSAGE; such a bookmark's key is the name of the message it waits for.
  private static final String MATCHABLE =
      """
      select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received
        from wm_inbox m
       where m.state = 0
         and m.instance_id is not null
         and exists (select 1 from wm_bookmark b
                      where b.instance_id = m.instance_id
                        and b.state = 0
                        and b.kind = 2
                        and b.key = m.name)
       order by m.received, m.rowid
       limit :limit
      """;

  private static final String WAITING =
      """
      select tenant, source, id, instance_id, name, payload, sender, received
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
         and instance_id = :instance
         and state = 0
      """;

  private final Database database;

  SqliteInbox(Database database) {
    this.database = database;
  }

  @Override
  public boolean receive(MessageRow message) {
    return database.write(session -> store(session, message));
  }

  /** Also how a unit sends; a duplicate is left alone, and that is not a fault. */
  static boolean store(Session session, MessageRow message) throws SQLException {
    int rows =
        session
            .query(STORE)
            .set("tenant", message.key().tenant())
            .set("source", message.key().source())
            .set("id", message.key().id())
            .set("instance", message.addressee().value())
            .set("name", message.name())
            .set("payload", message.payload())
            .set("sender", message.sender())
            .set("received", message.received())
            .update();
    return rows == 1;
  }

  @Override
  public List<MessageRow> waitingFor(Collection<InstanceId> instances, int limit) {
    return database.read(
        session -> {
          List<MessageRow> waiting = new ArrayList<>();
          for (InstanceId instance : new LinkedHashSet<>(instances)) {
            waiting.addAll(
                session
                    .query(WAITING_FOR)
                    .set("instance", instance.value())
                    .set("limit", limit)
                    .list(Shapes::message));
          }
          // Stable, so that messages of one moment stay in the order in which they came.
          waiting.sort(Comparator.comparing(MessageRow::received));
          return List.copyOf(waiting.subList(0, Math.min(limit, waiting.size())));
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
                    .first(Shapes::message)
                != null);
  }

  @Override
  public List<MessageRow> matchable(int limit) {
    return database.read(
        session -> session.query(MATCHABLE).set("limit", limit).list(Shapes::message));
  }
}
