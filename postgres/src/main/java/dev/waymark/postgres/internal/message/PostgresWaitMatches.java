package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.Correlations.MatchPlace;
import dev.waymark.engine.store.Page;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.Pools;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the messages that given instances wait for, on PostgreSQL. */
final class PostgresWaitMatches {

  // The first wait of a key gets its first message, the second its second. As many messages of a
  // key are read as it has waits. The comparison with the place leaves out waits without a
  // correlation: an explicit condition for that would let the planner read the index of
  // correlations from end to end.
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

  // All messages of each wait, not only the oldest: its guard may refuse that one and take the
  // next. For the wait at which the page before has ended, only the messages behind the last one.
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

  private final DatabaseClock clock;
  private final PagedQuery<Match> pairs;
  private final PagedQuery<Match> to;

  PostgresWaitMatches(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    pairs = new PagedQuery<>(pools, "Pairing waits", PAIRS, MessageColumns::match);
    to = new PagedQuery<>(pools, "Matching waits", TO, MessageColumns::match);
  }

  Page<Match> pairs(Collection<InstanceId> instances, MatchPlace after, int limit) {
    return pairs.ask(asked(instances, after), limit);
  }

  Page<Match> to(Collection<InstanceId> instances, MatchPlace after, int limit) {
    return to.ask(asked(instances, after), limit);
  }

  private Map<String, @Nullable Object> asked(Collection<InstanceId> instances, MatchPlace after) {
    Map<String, @Nullable Object> values =
        MessageParameters.now(
            clock, MessageParameters.behind(after.message().tenant(), after.message()));
    values.put("instances", instances.stream().map(InstanceId::value).toArray(UUID[]::new));
    values.put("instance", after.instance().value());
    return values;
  }
}
