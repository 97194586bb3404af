package dev.waymark.engine.store.postgres;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

final class PostgresInbox implements Inbox {

  private static final String RECEIVE =
      """
      insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received)
      values (:tenant, :source, :id, :addressee, :name, :payload, :sender, :received)
      on conflict (tenant, source, id) do nothing
      """;

  static final String WAITING_FOR =
      """
      select tenant, source, id, instance_id, name, payload, sender, received
        from wm_inbox
       where instance_id = any (:instances)
         and state = 0
       order by received, tenant, source, id
       limit :limit
      """;

  // kind 2: a wait for a message, whose key is the message's name.
  static final String MATCHABLE =
      """
      select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received
        from wm_inbox m
       where m.state = 0
         and exists (
           select 1
             from wm_bookmark b
            where b.instance_id = m.instance_id
              and b.state = 0
              and b.kind = 2
              and b.key = m.name)
       order by m.received, m.tenant, m.source, m.id
       limit :limit
      """;

  private static final String IS_WAITING =
      """
      select exists (
        select 1
          from wm_inbox
         where tenant = :tenant
           and source = :source
           and id = :id
           and instance_id = :addressee
           and state = 0)
      """;

  private final Db db;

  PostgresInbox(Db db) {
    this.db = db;
  }

  @Override
  public boolean receive(MessageRow message) {
    return db.call(
        "Receiving a message",
        handle ->
            handle
                    .createUpdate(RECEIVE)
                    .bind("tenant", message.key().tenant())
                    .bind("source", message.key().source())
                    .bind("id", message.key().id())
                    .bind("addressee", message.addressee().value())
                    .bind("name", message.name())
                    .bind("payload", message.payload())
                    .bind("sender", message.sender())
                    .bind("received", Db.instant(message.received()))
                    .execute()
                == 1);
  }

  @Override
  public boolean isWaiting(Message.Key key, InstanceId addressee) {
    return db.call(
        "Looking for a message",
        handle ->
            handle
                .createQuery(IS_WAITING)
                .bind("tenant", key.tenant())
                .bind("source", key.source())
                .bind("id", key.id())
                .bind("addressee", addressee.value())
                .mapTo(Boolean.class)
                .one());
  }

  @Override
  public List<MessageRow> waitingFor(Collection<InstanceId> instances, int limit) {
    List<UUID> ids = instances.stream().map(InstanceId::value).toList();
    return db.call(
        "Finding waiting messages",
        handle ->
            handle
                .createQuery(WAITING_FOR)
                .bindArray("instances", UUID.class, ids)
                .bind("limit", limit)
                .map((row, context) -> message(row))
                .list());
  }

  @Override
  public List<MessageRow> matchable(int limit) {
    return db.call(
        "Matching messages",
        handle ->
            handle
                .createQuery(MATCHABLE)
                .bind("limit", limit)
                .map((row, context) -> message(row))
                .list());
  }

  private static MessageRow message(ResultSet row) throws SQLException {
    return new MessageRow(
        new Message.Key(row.getString("tenant"), row.getString("source"), row.getString("id")),
        Columns.instanceId(row, "instance_id"),
        row.getString("name"),
        row.getString("payload"),
        row.getString("sender"),
        Columns.instant(row, "received"));
  }
}
