package dev.waymark.postgres.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Broadcasts;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Signals on their way, on PostgreSQL. */
public final class PostgresBroadcasts implements Broadcasts {

  private static final HotStatement WAITING =
      HotStatement.of(
          "waiting broadcasts",
          "limit int4",
          """
          select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
            from wm_inbox
           where instance_id is null
             and correlation is null
             and state = 0
           order by received, tenant, source, id
           limit :limit
          """);

  // One statement, so that the page and the progress of the broadcast cannot differ. The node that
  // is handing it out has locked its row; other nodes pass by. kind 2: a wait for a message.
  private static final HotStatement HAND_OUT =
      HotStatement.of(
          "a page of a broadcast",
          "tenant text, source text, id text, skew int8, limit int4, stem text",
          """
          with broadcast as materialized (
            select m.ctid as place, m.tenant, m.source, m.id, m.instance_id, m.name, m.payload,
                   m.sender, m.received, m.reached
              from wm_inbox m
             where m.tenant = :tenant
               and m.source = :source
               and m.id = :id
               and m.instance_id is null
               and m.correlation is null
               and m.state = 0
               for update skip locked
          ),
          page as materialized (
            select waiting.instance_id
              from broadcast
             cross join lateral (
               select distinct b.instance_id
                 from wm_bookmark b
                where b.tenant = broadcast.tenant
                  and b.key = broadcast.name
                  and b.key not like '$ended:%'
                  and b.state = 0
                  and b.kind = 2
                  and b.created <= broadcast.received + :skew * interval '1 microsecond'
                  and b.instance_id
                      > coalesce(broadcast.reached, uuid '00000000-0000-0000-0000-000000000000')
                order by b.instance_id
                limit :limit
             ) waiting
          ),
          addressed as (
            insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received)
            select broadcast.tenant, '$signal',
                   cast(:stem as text) || ':' || replace(cast(page.instance_id as text), '-', ''),
                   page.instance_id, broadcast.name, broadcast.payload, broadcast.sender,
                   broadcast.received
              from broadcast
             cross join page
             order by page.instance_id
            on conflict (tenant, source, id) do nothing
            returning instance_id
          ),
          moved_on as (
            update wm_inbox m
               set reached = coalesce(
                     (select page.instance_id from page order by page.instance_id desc limit 1),
                     m.reached),
                   state = case when (select count(*) from page) < :limit then 1 else 0 end,
                   spent_version = case when (select count(*) from page) < :limit then 0 end
              from broadcast
             where m.ctid = broadcast.place
          )
          select broadcast.tenant, broadcast.source, broadcast.id, broadcast.instance_id,
                 broadcast.name, broadcast.payload, broadcast.sender, broadcast.received,
                 cast(null as text) as correlation, cast(null as timestamptz) as expires,
                 array(select instance_id from addressed) as addressees,
                 (select count(*) from page) < :limit as finished
            from broadcast
          """);

  private final Db db;

  public PostgresBroadcasts(Db db) {
    this.db = db;
    db.watch(WAITING);
    db.watch(HAND_OUT);
  }

  @Override
  public List<MessageRow> waiting(int limit) {
    return db.call(
        "Finding broadcasts",
        handle ->
            handle
                .createQuery(WAITING.text())
                .bind("limit", limit)
                .map((row, context) -> MessageColumns.message(row))
                .list());
  }

  @Override
  public @Nullable Handout handOut(Message.Key broadcast, int limit) {
    return db.call(
        "Handing out a broadcast",
        handle ->
            handle
                .createQuery(HAND_OUT.text())
                .bind("tenant", broadcast.tenant())
                .bind("source", broadcast.source())
                .bind("id", broadcast.id())
                .bind("stem", broadcast.stem())
                .bind("skew", Micros.of(Limits.CLOCK_SKEW))
                .bind("limit", limit)
                .map((row, context) -> handout(row))
                .findOne()
                .orElse(null));
  }

  private static Handout handout(ResultSet row) throws SQLException {
    UUID[] addressees = (UUID[]) row.getArray("addressees").getArray();
    return new Handout(
        MessageColumns.message(row),
        Arrays.stream(addressees).map(InstanceId::new).toList(),
        row.getBoolean("finished"));
  }
}
