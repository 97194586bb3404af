package dev.waymark.postgres.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.Pools;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * The inbox on PostgreSQL. The rows that a message depends on are found by scalar subqueries inside
 * a {@code case}, each by its key; an {@code exists} there could be answered by reading a whole
 * table into a hash.
 */
public final class PostgresInbox implements Inbox {

  private static final String RECEIVE =
      """
      insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received,
                            correlation, expires)
      values (:tenant, :source, :id, cast(:addressee as uuid), :name, :payload, :sender, :received,
              :correlation, :expires)
      on conflict (tenant, source, id) do nothing
      """;

  private static final HotStatement WAITING_FOR =
      HotStatement.of(
          "waiting messages",
          "instance uuid, tenant text, received timestamptz, source text,"
              + " id text, limit int4, bytes int8",
          """
          with found as (
            select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
              from wm_inbox
             where instance_id = :instance
               and state = 0
               and tenant = :tenant
               and (received, source, id) > (:received, :source, :id)
             order by received, source, id
             limit :limit
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0))
                   over (order by received, source, id
                         rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
           order by received, source, id
          """);

  // kind 2: a wait for a message, whose key is the message's name.
  private static final HotStatement MATCHABLE =
      HotStatement.of(
          "matchable messages",
          "instance uuid, received timestamptz, tenant text, source text,"
              + " id text, skew int8, limit int4, bytes int8",
          """
          with found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires
              from wm_inbox m
             where m.state = 0
               and (m.instance_id, m.received, m.tenant, m.source, m.id)
                   > (:instance, :received, :tenant, :source, :id)
               and case
                     when m.name = '$start' then
                       (select i.id from wm_instance i where i.id = m.instance_id) is null
                     when m.name = '$cancel' then
                       (select i.status from wm_instance i where i.id = m.instance_id) < 2
                     else
                       (select true
                          from wm_bookmark b
                         where b.instance_id = m.instance_id
                           and b.tenant = m.tenant
                           and b.state = 0
                           and b.kind = 2
                           and b.key = m.name
                           and (m.name not like '$signal:%'
                                or b.created <= m.received + :skew * interval '1 microsecond')
                         limit 1)
                   end
             order by m.instance_id, m.received, m.tenant, m.source, m.id
             limit :limit
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0))
                   over (order by instance_id, received, tenant, source, id
                         rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
           order by instance_id, received, tenant, source, id
          """);

  private static final HotStatement MATCHABLE_OF =
      HotStatement.of(
          "matchable messages of instances",
          "instances uuid[], instance uuid, received timestamptz, tenant text,"
              + " source text, id text, skew int8, limit int4, bytes int8",
          """
          with found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires
              from wm_inbox m
             where m.state = 0
               and m.instance_id = any (:instances)
               and (m.instance_id, m.received, m.tenant, m.source, m.id)
                   > (:instance, :received, :tenant, :source, :id)
               and case
                     when m.name = '$start' then
                       (select i.id from wm_instance i where i.id = m.instance_id) is null
                     when m.name = '$cancel' then
                       (select i.status from wm_instance i where i.id = m.instance_id) < 2
                     else
                       (select true
                          from wm_bookmark b
                         where b.instance_id = m.instance_id
                           and b.tenant = m.tenant
                           and b.state = 0
                           and b.kind = 2
                           and b.key = m.name
                           and (m.name not like '$signal:%'
                                or b.created <= m.received + :skew * interval '1 microsecond')
                         limit 1)
                   end
             order by m.instance_id, m.received, m.tenant, m.source, m.id
             limit :limit
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0))
                   over (order by instance_id, received, tenant, source, id
                         rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
           order by instance_id, received, tenant, source, id
          """);

  private static final String IS_WAITING =
      """
      select exists (
        select 1
          from wm_inbox
         where tenant = :tenant
           and source = :source
           and id = :id
           and (instance_id = :addressee or correlation is not null)
           and state < 1)
      """;

  private static final String REMOVE =
      """
      delete from wm_inbox
       where tenant = :waiting_tenant
         and source = :waiting_source
         and id = :waiting_id
         and state < 1
      """;

  private static final String REPLACE =
      """
      with gone as (
        delete from wm_inbox
         where tenant = :waiting_tenant
           and source = :waiting_source
           and id = :waiting_id
           and state < 1
        returning 1
      ),
      come as (
        insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received,
                              correlation, expires)
        select :tenant, :source, :id, cast(:addressee as uuid), :name, :payload, :sender, :received,
               cast(:correlation as text), cast(:expires as timestamptz)
          from gone
        on conflict (tenant, source, id) do nothing
      )
      select count(*) from gone
      """;

  private final Db db;
  private final PostgresInboxClearing clearing;
  private final PagedQuery<MessageRow> waitingFor;
  private final PagedQuery<MessageRow> matchable;
  private final PagedQuery<MessageRow> matchableOf;

  public PostgresInbox(Db db, Pools pools) {
    this.db = db;
    this.clearing = new PostgresInboxClearing(db);
    this.waitingFor =
        new PagedQuery<>(pools, "Finding waiting messages", WAITING_FOR, MessageColumns::message);
    this.matchable =
        new PagedQuery<>(pools, "Matching messages", MATCHABLE, MessageColumns::message);
    this.matchableOf =
        new PagedQuery<>(
            pools, "Matching messages of instances", MATCHABLE_OF, MessageColumns::message);
  }

  @Override
  public boolean receive(MessageRow message) {
    return db.call(
        "Receiving a message",
        handle -> bind(handle.createUpdate(RECEIVE), message).execute() == 1);
  }

  @Override
  public boolean receiveOn(Connection connection, MessageRow message) {
    return Db.on(
        connection,
        "Receiving a message",
        handle -> bind(handle.createUpdate(RECEIVE), message).execute() == 1);
  }

  private static <S extends SqlStatement<S>> S bind(S statement, MessageRow message) {
    InstanceId addressee = message.addressee();
    return statement
        .bind("tenant", message.key().tenant())
        .bind("source", message.key().source())
        .bind("id", message.key().id())
        .bind("addressee", addressee == null ? null : addressee.value())
        .bind("name", message.name())
        .bind("payload", message.payload())
        .bind("sender", message.sender())
        .bind("received", Db.instant(message.received()))
        .bind("correlation", message.correlation())
        .bind("expires", Db.instant(message.expires()));
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
  public Page<MessageRow> waitingFor(String tenant, InstanceId instance, Place after, int limit) {
    Map<String, Object> values = behind(after);
    values.put("instance", instance.value());
    values.put("tenant", tenant);
    return waitingFor.ask(values, limit);
  }

  @Override
  public Page<MessageRow> matchableOf(Collection<InstanceId> instances, Place after, int limit) {
    Map<String, Object> values = behind(after);
    values.put("instances", instances.stream().map(InstanceId::value).toArray(UUID[]::new));
    return matchableOf.ask(values, limit);
  }

  @Override
  public Page<MessageRow> matchable(Place after, int limit) {
    return matchable.ask(behind(after), limit);
  }

  private static Map<String, Object> behind(Place after) {
    Map<String, Object> values = new HashMap<>();
    values.put("instance", after.instance().value());
    values.put("received", after.received());
    values.put("tenant", after.key().tenant());
    values.put("source", after.key().source());
    values.put("id", after.key().id());
    values.put("skew", Micros.of(Limits.CLOCK_SKEW));
    return values;
  }

  @Override
  public boolean replace(Message.Key waiting, @Nullable MessageRow instead) {
    return db.call(
        "Replacing a message",
        handle ->
            instead == null
                ? bindWaiting(handle.createUpdate(REMOVE), waiting).execute() == 1
                : bind(bindWaiting(handle.createQuery(REPLACE), waiting), instead)
                        .mapTo(Integer.class)
                        .one()
                    == 1);
  }

  private static <S extends SqlStatement<S>> S bindWaiting(S statement, Message.Key waiting) {
    return statement
        .bind("waiting_tenant", waiting.tenant())
        .bind("waiting_source", waiting.source())
        .bind("waiting_id", waiting.id());
  }

  @Override
  public Cleared clear(Place after, int limit) {
    return clearing.clear(after, limit);
  }
}
