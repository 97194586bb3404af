package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.Page;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.Pools;
import java.util.Collection;
import java.util.List;

/** Finds the instances that wait for given messages, on PostgreSQL. */
final class PostgresMessageTargets {

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

  private final DatabaseClock clock;
  private final HotQuery<InstanceId> targets;
  private final PagedQuery<Match> of;

  PostgresMessageTargets(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    targets =
        new HotQuery<>(
            pools, "Looking who waits", TARGETS, row -> Columns.instanceId(row, "instance_id"));
    of = new PagedQuery<>(pools, "Matching messages", OF, MessageColumns::match);
  }

  List<InstanceId> targets(Message.Key message, int limit) {
    return targets.ask(MessageParameters.now(clock, MessageParameters.one(message, limit)));
  }

  Page<Match> of(Collection<Message.Key> messages) {
    return of.ask(
        MessageParameters.now(clock, MessageParameters.keys(List.copyOf(messages))),
        messages.size() + 1);
  }
}
