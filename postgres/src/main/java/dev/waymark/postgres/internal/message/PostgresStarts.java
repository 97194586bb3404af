package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.Starts;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.Pools;
import dev.waymark.postgres.internal.table.PostgresDefinitions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages that begin runs, on PostgreSQL. Kind 2 is a wait for a message. */
public final class PostgresStarts implements Starts {

  private static final HotStatement DEFINITIONS =
      HotStatement.of(
          "definitions that messages begin",
          "tenant text, limit int4",
          """
          select d.id, d.tenant, d.key, d.version, d.source, d.created_by, d.created,
                 d.activated, d.retired
            from wm_definition d
           where d.starts is not null
             and (cast(:tenant as text) is null or d.tenant = :tenant)
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
          """);

  // An anti-join would be planned as one over all waits while there are few; this is a look-up
  // for each message.
  private static final HotStatement OF =
      HotStatement.of(
          "free messages",
          "tenants text[], sources text[], ids text[], now timestamptz, bytes int8",
          """
          with found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires
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
               select count(*) as found
                 from (select 1
                         from wm_bookmark w
                        where w.tenant = m.tenant
                          and w.correlation = m.correlation
                          and w.key = m.name
                          and w.state = 0
                          and w.kind = 2
                        limit 1) one
             ) waits
             where waits.found = 0
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

  private static final HotStatement ALL =
      HotStatement.of(
          "a tenant's free messages",
          "now timestamptz, tenant text, names text[], correlation text,"
              + " name text, received timestamptz, source text, id text, limit int4,"
              + " bytes int8",
          """
          with found as (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                   m.correlation, m.expires
              from wm_inbox m
             cross join lateral (
               select count(*) as found
                 from (select 1
                         from wm_bookmark w
                        where w.tenant = m.tenant
                          and w.correlation = m.correlation
                          and w.key = m.name
                          and w.state = 0
                          and w.kind = 2
                        limit 1) one
             ) waits
             where m.state = 0
               and m.correlation is not null
               and (m.expires is null
                     or m.expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
               and m.tenant = :tenant
               and m.name = any(:names)
               and (m.correlation, m.name, m.received, m.source, m.id)
                   > (:correlation, :name, :received, :source, :id)
               and waits.found = 0
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

  private final DatabaseClock clock;
  private final HotQuery<DefinitionRow> definitions;
  private final PagedQuery<MessageRow> of;
  private final PagedQuery<MessageRow> all;

  public PostgresStarts(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    definitions =
        new HotQuery<>(
            pools, "Looking what begins with messages", DEFINITIONS, PostgresDefinitions::row);
    of = new PagedQuery<>(pools, "Looking for free messages", OF, MessageColumns::message);
    all = new PagedQuery<>(pools, "Looking at all free messages", ALL, MessageColumns::message);
  }

  @Override
  public List<DefinitionRow> definitions(@Nullable String tenant, int limit) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("tenant", tenant);
    values.put("limit", limit);
    return definitions.ask(values);
  }

  @Override
  public Page<MessageRow> free(Collection<Message.Key> messages) {
    List<Message.Key> keys = List.copyOf(messages);
    return of.ask(MessageParameters.now(clock, MessageParameters.keys(keys)), keys.size() + 1);
  }

  @Override
  public Page<MessageRow> free(String tenant, Collection<String> names, Place after, int limit) {
    return all.ask(
        MessageParameters.now(
            clock,
            Map.of(
                "tenant", tenant,
                "names", names.toArray(String[]::new),
                "correlation", after.correlation(),
                "name", after.name(),
                "received", after.received(),
                "source", after.source(),
                "id", after.id())),
        limit);
  }
}
