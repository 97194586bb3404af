package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.Pools;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Correlated messages on PostgreSQL. Kind 2 is a wait for a message, whose key is its name.
 *
 * <p>Here are the statements about all messages; those about messages and waits that are given have
 * classes of their own.
 */
public final class PostgresCorrelations implements Correlations {

  private static final HotStatement MATCHABLE =
      HotStatement.of(
          "correlated messages",
          "now timestamptz, tenant text, correlation text, name text,"
              + " received timestamptz, source text, id text, limit int4, bytes int8",
          """
          with found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires, b.instance_id as target
              from wm_inbox m
             cross join lateral (
               select w.instance_id
                 from wm_bookmark w
                where w.tenant = m.tenant
                  and w.correlation = m.correlation
                  and w.key = m.name
                  and w.state = 0
                  and w.kind = 2
                order by w.created, w.instance_id
                limit 1
             ) b
             where m.state = 0
               and m.correlation is not null
               and (m.expires is null
                     or m.expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
               and (m.tenant, m.correlation, m.name, m.received, m.source, m.id)
                   > (:tenant, :correlation, :name, :received, :source, :id)
             order by m.tenant, m.correlation, m.name, m.received, m.source, m.id
             limit :limit
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0))
                   over (order by tenant, correlation, name, received, source, id
                         rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
           order by tenant, correlation, name, received, source, id
          """);

  private static final HotStatement WAITING =
      HotStatement.of(
          "a tenant's correlated messages",
          "now timestamptz, tenant text, correlation text, name text,"
              + " received timestamptz, source text, id text, limit int4, bytes int8",
          """
          with found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires
              from wm_inbox m
             where m.state = 0
               and m.correlation is not null
               and (m.expires is null
                     or m.expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
               and m.tenant = :tenant
               and (m.correlation, m.name, m.received, m.source, m.id)
                   > (:correlation, :name, :received, :source, :id)
             order by m.tenant, m.correlation, m.name, m.received, m.source, m.id
             limit :limit
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0))
                   over (order by tenant, correlation, name, received, source, id
                         rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
           order by tenant, correlation, name, received, source, id
          """);

  private static final HotStatement EXPIRE =
      HotStatement.of(
          "messages whose time is over",
          "now timestamptz, limit int4",
          """
          with over as materialized (
            select m.ctid as place
              from wm_inbox m
             where m.state = 0
               and m.expires <= coalesce(cast(:now as timestamptz), statement_timestamp())
             order by m.expires
             limit :limit
               for update skip locked
          ),
          removed as (
            delete from wm_inbox m using over where m.ctid = over.place returning 1
          )
          select count(*) as removed from removed
          """);

  private static final HotStatement NEAR_MISSES =
      HotStatement.of(
          "near misses",
          "tenant text, source text, id text, limit int4",
          """
          with message as materialized (
            select m.tenant, m.correlation, m.name
              from wm_inbox m
             where m.tenant = :tenant
               and m.source = :source
               and m.id = :id
          )
          select distinct near.instance_id, near.key, near.correlation
            from message
           cross join lateral (
             (select b.instance_id, b.key, b.correlation
                from wm_bookmark b
               where b.tenant = message.tenant
                 and b.correlation = message.correlation
                 and b.state = 0
                 and b.kind = 2
               limit :limit)
             union all
             (select b.instance_id, b.key, b.correlation
                from wm_bookmark b
               where b.tenant = message.tenant
                 and b.key = message.name
                 and b.key not like '$ended:%'
                 and b.state = 0
                 and b.kind = 2
               limit :limit)
           ) near
           order by near.instance_id, near.key
           limit :limit
          """);

  private final DatabaseClock clock;
  private final PostgresMessageIntake intake;
  private final PostgresMessageTargets targets;
  private final PostgresWaitMatches matches;
  private final PagedQuery<Match> matchable;
  private final PagedQuery<MessageRow> waiting;
  private final HotQuery<Integer> expire;
  private final HotQuery<NearMiss> nearMisses;

  public PostgresCorrelations(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    intake = new PostgresMessageIntake(pools);
    targets = new PostgresMessageTargets(pools, clock);
    matches = new PostgresWaitMatches(pools, clock);
    matchable =
        new PagedQuery<>(pools, "Looking at all messages", MATCHABLE, MessageColumns::match);
    waiting = new PagedQuery<>(pools, "Listing messages", WAITING, MessageColumns::message);
    expire = new HotQuery<>(pools, "Expiring messages", EXPIRE, row -> row.getInt("removed"));
    nearMisses =
        new HotQuery<>(
            pools,
            "Looking for near misses",
            NEAR_MISSES,
            row ->
                new NearMiss(
                    Columns.instanceId(row, "instance_id"),
                    row.getString("key"),
                    row.getString("correlation")));
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
    return matchable.ask(
        MessageParameters.now(clock, MessageParameters.behind(after.tenant(), after)), limit);
  }

  @Override
  public Page<MessageRow> waiting(String tenant, Place after, int limit) {
    return waiting.ask(
        MessageParameters.now(clock, MessageParameters.behind(tenant, after)), limit);
  }

  @Override
  public int expire(int limit) {
    return expire.ask(MessageParameters.now(clock, Map.of("limit", limit))).get(0);
  }

  @Override
  public List<NearMiss> nearMisses(Message.Key message, int limit) {
    return nearMisses.ask(MessageParameters.one(message, limit));
  }
}
