package dev.waymark.postgres.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Inbox.Cleared;
import dev.waymark.engine.store.Inbox.Place;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Removes messages that no instance can ever spend, page by page, on PostgreSQL. */
final class PostgresInboxClearing {

  // A page counts the messages that are looked at, not those that are removed: so all pages
  // together read each waiting message once.
  private static final HotStatement CLEAR =
      HotStatement.of(
          "messages for nobody",
          "now timestamptz, instance uuid, received timestamptz, tenant text,"
              + " source text, id text, limit int4, skew int8, kept int8",
          """
          with clock as materialized (
            select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
          ),
          page as materialized (
            select m.tenant, m.source, m.id, m.instance_id, m.name, m.received
              from wm_inbox m
             where m.state = 0
               and (m.instance_id, m.received, m.tenant, m.source, m.id)
                   > (:instance, :received, :tenant, :source, :id)
             order by m.instance_id, m.received, m.tenant, m.source, m.id
             limit :limit
          ),
          useless as materialized (
            select m.tenant, m.source, m.id
              from page m
             where case
                     when (select i.status from wm_instance i where i.id = m.instance_id) >= 2 then
                       true
                     when m.name = '$start' then
                       (select i.id from wm_instance i where i.id = m.instance_id) is not null
                     when m.name like '$signal:%' then
                       (select b.tag
                          from wm_bookmark b
                         where b.instance_id = m.instance_id
                           and b.state = 0
                           and b.kind = 2
                           and b.key = m.name
                           and b.created <= m.received + :skew * interval '1 microsecond'
                         limit 1) is null
                     else
                       m.received < (select now from clock) - :kept * interval '1 microsecond'
                       and (select i.id
                              from wm_instance i
                             where i.id = m.instance_id
                               and i.tenant = m.tenant) is null
                   end
          ),
          removed as (
            delete from wm_inbox m
             using (
               select found.place
                 from useless
                cross join lateral (
                  select own.ctid as place
                    from wm_inbox own
                   where own.tenant = useless.tenant
                     and own.source = useless.source
                     and own.id = useless.id
                     and own.state < 1
                     for update skip locked
                ) found
             ) useless
             where m.ctid = useless.place
            returning 1
          )
          select (select count(*) from removed) as removed,
                 last.instance_id, last.received, last.tenant, last.source, last.id
            from (values (1)) as one
            left join lateral (
              select *
                from page
               order by instance_id desc, received desc, tenant desc, source desc, id desc
               limit 1
            ) last on true
          """);

  private final Db db;

  PostgresInboxClearing(Db db) {
    this.db = db;
    db.watch(CLEAR);
  }

  Cleared clear(Place after, int limit) {
    return db.call(
        "Clearing messages",
        handle ->
            handle
                .createQuery(CLEAR.text())
                .bind("instance", after.instance().value())
                .bind("received", Db.instant(after.received()))
                .bind("tenant", after.key().tenant())
                .bind("source", after.key().source())
                .bind("id", after.key().id())
                .bind("skew", Micros.of(Limits.CLOCK_SKEW))
                .bind("limit", limit)
                .bind("now", db.now())
                .bind("kept", Micros.of(Limits.MESSAGE_FOR_NOBODY))
                .map((row, context) -> new Cleared(row.getInt("removed"), place(row)))
                .one());
  }

  private static @Nullable Place place(ResultSet row) throws SQLException {
    InstanceId instance = Columns.instanceIdOrNull(row, "instance_id");
    return instance == null
        ? null
        : new Place(instance, Columns.instant(row, "received"), MessageColumns.key(row));
  }
}
