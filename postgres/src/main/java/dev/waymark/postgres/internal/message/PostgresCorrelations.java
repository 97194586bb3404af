package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Correlated messages on PostgreSQL. Kind 2 is a wait for a message, whose key is its name. */
public final class PostgresCorrelations implements Correlations {

  // What is found here is as of before the commit, which is good enough where something is found.
  private static final HotStatement RECEIVE =
      HotStatement.of(
          "receiving messages",
          "ids text[], tenants text[], sources text[], addressees uuid[],"
              + " names text[], payloads text[], senders text[], moments int8[],"
              + " correlations text[], expiries int8[]",
          """
          with message as materialized (
            select generate_subscripts(cast(:ids as text[]), 1) as n,
                   unnest(:tenants) as tenant,
                   unnest(:sources) as source,
                   unnest(:ids) as id,
                   unnest(:addressees) as addressee,
                   unnest(:names) as name,
                   unnest(:payloads) as payload,
                   unnest(:senders) as sender,
                   timestamptz 'epoch' + unnest(:moments) * interval '1 microsecond' as received,
                   unnest(:correlations) as correlation,
                   timestamptz 'epoch' + unnest(:expiries) * interval '1 microsecond' as expires
          ),
          stored as (
            insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received,
                                  correlation, expires)
            select tenant, source, id, addressee, name, payload, sender, received, correlation, expires
              from message
             order by tenant, source, id
            on conflict (tenant, source, id) do nothing
            returning tenant, source, id
          )
          select message.n, stored.id is not null as fresh,
                 (select b.instance_id
                    from wm_bookmark b
                   where b.tenant = message.tenant
                     and b.correlation = message.correlation
                     and b.key = message.name
                     and b.state = 0
                     and b.kind = 2
                   order by b.created, b.instance_id
                   limit 1) as target
            from message
            left join stored using (tenant, source, id)
           order by message.n
          """);

  private static final HotStatement STORED =
      HotStatement.of(
          "messages stored before",
          "tenants text[], sources text[], ids text[]",
          """
          select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                 m.correlation, m.expires
            from (select unnest(:tenants) as tenant, unnest(:sources) as source, unnest(:ids) as id) k
           cross join lateral (
             select *
               from wm_inbox i
              where i.tenant = k.tenant
                and i.source = k.source
                and i.id = k.id
             offset 0
           ) m
          """);

  private static final String STORED_ONE =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
      """;

  private static final HotStatement TARGETS =
      HotStatement.of(
          "who waits for a message",
          "tenant text, source text, id text, now timestamptz, limit int4",
          """
          select b.instance_id
            from (select m.tenant, m.correlation, m.name
                    from wm_inbox m
                   where m.tenant = :tenant
                     and m.source = :source
                     and m.id = :id
                     and m.state < 1
                     and m.correlation is not null
                     and (m.expires is null
                           or m.expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
                  offset 0) m
           cross join lateral (
             select w.instance_id, w.created
               from wm_bookmark w
              where w.tenant = m.tenant
                and w.correlation = m.correlation
                and w.key = m.name
                and w.state = 0
                and w.kind = 2
              order by w.created, w.instance_id
              limit :limit
           ) b
           order by b.created, b.instance_id
          """);

  private static final HotStatement OF =
      HotStatement.of(
          "who waits for messages",
          "tenants text[], sources text[], ids text[], now timestamptz, bytes int8",
          """
          with found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires, b.instance_id as target
              from (select unnest(:tenants) as tenant, unnest(:sources) as source, unnest(:ids) as id) k
             cross join lateral (
               select *
                 from wm_inbox i
                where i.tenant = k.tenant
                  and i.source = k.source
                  and i.id = k.id
                  and i.state < 1
                  and i.correlation is not null
                  and (i.expires is null
                        or i.expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
               offset 0
             ) m
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
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0)) over (rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
          """);

  // The first wait of a key gets its first message, the second its second. As many messages of a
  // key are read as it has waits. The place leaves out waits without a correlation: said in words,
  // that would let the planner read the index of correlations from end to end.
  private static final HotStatement PAIRS =
      HotStatement.of(
          "messages paired with waits",
          "instances uuid[], instance uuid, correlation text, name text, now timestamptz,"
              + " limit int4, bytes int8",
          """
          with wait as materialized (
            select b.instance_id, b.tenant, b.correlation, b.key,
                   row_number() over (partition by b.tenant, b.correlation, b.key
                                      order by b.instance_id) as rank
              from (select unnest(:instances) as instance_id) asked
             cross join lateral (
               select w.instance_id, w.tenant, w.correlation, w.key
                 from wm_bookmark w
                where w.instance_id = asked.instance_id
                  and w.state = 0
                  and w.kind = 2
                  and (w.instance_id, w.correlation, w.key) > (:instance, :correlation, :name)
               offset 0
             ) b
          ),
          wanted as materialized (
            select tenant, correlation, key, count(*) as waits
              from wait
             group by tenant, correlation, key
          ),
          message as (
            select i.*,
                   row_number() over (partition by i.tenant, i.correlation, i.name
                                      order by i.received, i.source, i.id) as rank
              from wanted
             cross join lateral (
               select *
                 from wm_inbox i
                where i.tenant = wanted.tenant
                  and i.correlation = wanted.correlation
                  and i.name = wanted.key
                  and (i.expires is null
                        or i.expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
                  and i.state = 0
                order by i.received, i.source, i.id
                limit wanted.waits
             ) i
          ),
          found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires, wait.instance_id as target
              from wait
              join message m
                on (m.tenant, m.correlation, m.name, m.rank)
                   = (wait.tenant, wait.correlation, wait.key, wait.rank)
             order by target, m.correlation, m.name
             limit :limit
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0))
                   over (order by target, correlation, name rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
           order by target, correlation, name
          """);

  // Not only the oldest message of each wait: its guard may refuse that one and take the next. Of
  // the wait where the page before has ended, those behind its last message.
  private static final HotStatement TO =
      HotStatement.of(
          "messages that waits are for",
          "instances uuid[], instance uuid, correlation text, name text,"
              + " received timestamptz, source text, id text, now timestamptz,"
              + " limit int4, bytes int8",
          """
          with found as (
            select i.tenant, i.source, i.id, i.instance_id, i.name, i.payload, i.sender, i.received,
                   i.correlation, i.expires, b.instance_id as target
              from (select unnest(:instances) as instance_id order by 1) asked
             cross join lateral (
               select w.instance_id, w.tenant, w.correlation, w.key,
                      case
                        when (w.instance_id, w.correlation, w.key)
                             = (:instance, :correlation, :name) then
                          :received
                        else
                          timestamptz '-infinity'
                      end as after
                 from wm_bookmark w
                where w.instance_id = asked.instance_id
                  and w.state = 0
                  and w.kind = 2
                  and (w.instance_id, w.correlation, w.key) >= (:instance, :correlation, :name)
               offset 0
             ) b
             cross join lateral (
               select *
                 from wm_inbox i
                where i.tenant = b.tenant
                  and i.correlation = b.correlation
                  and i.name = b.key
                  and (i.received, i.source, i.id) > (b.after, :source, :id)
                  and (i.expires is null
                        or i.expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
                  and i.state = 0
                order by i.received, i.source, i.id
                limit :limit
             ) i
             order by b.instance_id, i.correlation, i.name, i.received, i.source, i.id
             limit :limit
          ),
          counted as (
            select *,
                   sum(coalesce(octet_length(payload), 0))
                   over (order by target, correlation, name, received, source, id
                         rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - coalesce(octet_length(payload), 0) < :bytes
           order by target, correlation, name, received, source, id
          """);

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
  private final HotQuery<Stored> receive;
  private final HotQuery<MessageRow> storedBefore;
  private final HotQuery<InstanceId> targets;
  private final PagedQuery<Match> of;
  private final PagedQuery<Match> pairs;
  private final PagedQuery<Match> to;
  private final PagedQuery<Match> matchable;
  private final PagedQuery<MessageRow> waiting;
  private final HotQuery<Integer> expire;
  private final HotQuery<NearMiss> nearMisses;

  public PostgresCorrelations(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    receive = new HotQuery<>(pools, "Receiving messages", RECEIVE, PostgresCorrelations::stored);
    storedBefore = new HotQuery<>(pools, "Finding messages", STORED, PostgresInbox::message);
    targets =
        new HotQuery<>(
            pools, "Looking who waits", TARGETS, row -> Columns.instanceId(row, "instance_id"));
    of = new PagedQuery<>(pools, "Matching messages", OF, PostgresCorrelations::match);
    pairs = new PagedQuery<>(pools, "Pairing waits", PAIRS, PostgresCorrelations::match);
    to = new PagedQuery<>(pools, "Matching waits", TO, PostgresCorrelations::match);
    matchable =
        new PagedQuery<>(pools, "Looking at all messages", MATCHABLE, PostgresCorrelations::match);
    waiting = new PagedQuery<>(pools, "Listing messages", WAITING, PostgresInbox::message);
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

  private static Stored stored(ResultSet row) throws SQLException {
    return new Stored(row.getBoolean("fresh"), Columns.instanceIdOrNull(row, "target"));
  }

  private static Match match(ResultSet row) throws SQLException {
    return new Match(PostgresInbox.message(row), Columns.instanceId(row, "target"));
  }

  @Override
  public List<Stored> receive(List<MessageRow> messages) {
    Map<String, Object> values =
        new HashMap<>(keys(messages.stream().map(MessageRow::key).toList()));
    values.put("addressees", column(messages, PostgresCorrelations::addressee, UUID[]::new));
    values.put("names", column(messages, MessageRow::name, String[]::new));
    values.put("payloads", column(messages, MessageRow::payload, String[]::new));
    values.put("senders", column(messages, MessageRow::sender, String[]::new));
    values.put("moments", column(messages, m -> Micros.ofNullable(m.received()), Long[]::new));
    values.put("correlations", column(messages, MessageRow::correlation, String[]::new));
    values.put("expiries", column(messages, m -> Micros.ofNullable(m.expires()), Long[]::new));
    List<Stored> answers = receive.ask(values);
    // The same message twice in one batch is stored once, and the statement calls both fresh.
    Set<Message.Key> seen = new HashSet<>();
    List<Stored> stored = new ArrayList<>(answers.size());
    for (int i = 0; i < answers.size(); i++) {
      Stored answer = answers.get(i);
      boolean first = seen.add(messages.get(i).key());
      stored.add(first ? answer : new Stored(false, answer.target()));
    }
    return stored;
  }

  @Override
  public List<MessageRow> stored(Collection<Message.Key> messages) {
    return storedBefore.ask(new HashMap<>(keys(List.copyOf(messages))));
  }

  @Override
  public @Nullable MessageRow storedOn(Connection connection, Message.Key message) {
    return Db.on(
            connection,
            "Finding a message",
            handle ->
                handle
                    .createQuery(STORED_ONE)
                    .bind("tenant", message.tenant())
                    .bind("source", message.source())
                    .bind("id", message.id())
                    .map((row, context) -> PostgresInbox.message(row))
                    .findOne())
        .orElse(null);
  }

  private static @Nullable UUID addressee(MessageRow message) {
    return message.addressee() == null ? null : message.addressee().value();
  }

  private static <T, V> V[] column(
      List<T> rows,
      Function<T, ? extends @Nullable Object> value,
      java.util.function.IntFunction<V[]> array) {
    return rows.stream().map(value).toArray(array);
  }

  private static Map<String, Object> keys(List<Message.Key> keys) {
    return Map.of(
        "tenants", column(keys, Message.Key::tenant, String[]::new),
        "sources", column(keys, Message.Key::source, String[]::new),
        "ids", column(keys, Message.Key::id, String[]::new));
  }

  @Override
  public List<InstanceId> targets(Message.Key message, int limit) {
    return targets.ask(now(one(message, limit)));
  }

  private static Map<String, Object> one(Message.Key message, int limit) {
    return Map.of(
        "tenant", message.tenant(), "source", message.source(), "id", message.id(), "limit", limit);
  }

  @Override
  public Page<Match> of(Collection<Message.Key> messages) {
    return of.ask(now(keys(List.copyOf(messages))), messages.size() + 1);
  }

  @Override
  public Page<Match> pairs(Collection<InstanceId> instances, MatchPlace after, int limit) {
    return pairs.ask(asked(instances, after), limit);
  }

  @Override
  public Page<Match> to(Collection<InstanceId> instances, MatchPlace after, int limit) {
    return to.ask(asked(instances, after), limit);
  }

  private Map<String, @Nullable Object> asked(Collection<InstanceId> instances, MatchPlace after) {
    Map<String, @Nullable Object> values = now(behind(after.message().tenant(), after.message()));
    values.put("instances", instances.stream().map(InstanceId::value).toArray(UUID[]::new));
    values.put("instance", after.instance().value());
    return values;
  }

  @Override
  public Page<Match> matchable(Place after, int limit) {
    return matchable.ask(now(behind(after.tenant(), after)), limit);
  }

  @Override
  public Page<MessageRow> waiting(String tenant, Place after, int limit) {
    return waiting.ask(now(behind(tenant, after)), limit);
  }

  private static Map<String, Object> behind(String tenant, Place after) {
    return Map.of(
        "tenant", tenant,
        "correlation", after.correlation(),
        "name", after.name(),
        "received", after.received(),
        "source", after.source(),
        "id", after.id());
  }

  @Override
  public int expire(int limit) {
    return expire.ask(now(Map.of("limit", limit))).get(0);
  }

  private Map<String, @Nullable Object> now(Map<String, Object> others) {
    Map<String, @Nullable Object> values = new HashMap<>(others);
    values.put("now", clock.virtualNow());
    return values;
  }

  @Override
  public List<NearMiss> nearMisses(Message.Key message, int limit) {
    return nearMisses.ask(one(message, limit));
  }
}
