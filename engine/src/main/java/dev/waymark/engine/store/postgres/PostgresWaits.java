package dev.waymark.engine.store.postgres;

import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import dev.waymark.engine.store.Waits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Open waits on PostgreSQL. */
final class PostgresWaits implements Waits {

  // The first few of each name, each by its index, then merged: no name's page depends on how much
  // the others have, and nothing on how much there is beside.
  static final String INBOX =
      """
      with page as materialized (
        select distinct own.due, own.instance_id, own.tag
          from (select unnest(:names) as who) named
         cross join lateral (
           select c.due, c.instance_id, c.tag
             from wm_candidate c
            where c.tenant = :tenant
              and c.who = named.who
              and (c.due, c.instance_id, c.tag)
                  > (coalesce(cast(:after_due as timestamptz), timestamptz 'infinity'),
                     cast(:after as uuid), cast(:after_tag as int8))
            order by c.due, c.instance_id, c.tag
            limit :limit
         ) own
         order by own.due, own.instance_id, own.tag
         limit :limit
      )
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms
        from page
       cross join lateral (
         select *
           from wm_bookmark w
          where w.instance_id = page.instance_id
            and w.tag = page.tag
            and w.state = 0
         offset 0
       ) b
       order by page.due, page.instance_id, page.tag
      """;

  private final HotQuery<WaitRow> inbox;

  PostgresWaits(Pools pools) {
    this.inbox = new HotQuery<>(pools, "Reading an inbox", INBOX, PostgresWaits::row);
  }

  @Override
  public List<WaitRow> inbox(String tenant, Collection<String> who, Place after, int limit) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("names", who.toArray(String[]::new));
    values.put("tenant", tenant);
    values.put("after_due", after.due());
    values.put("after", after.instance().value());
    values.put("after_tag", after.tag());
    values.put("limit", limit);
    return inbox.ask(values);
  }

  static WaitRow row(ResultSet row) throws SQLException {
    return new WaitRow(
        Columns.instanceId(row, "instance_id"),
        row.getString("tenant"),
        new BookmarkRow(
            row.getLong("tag"),
            row.getLong("visit"),
            row.getInt("kind"),
            row.getString("key"),
            row.getString("payload"),
            Columns.instantOrNull(row, "due"),
            row.getInt("state"),
            Columns.instant(row, "created"),
            row.getString("closed_by"),
            Columns.instantOrNull(row, "closed_at"),
            row.getString("holder"),
            Columns.instantOrNull(row, "lease_until"),
            row.getLong("fence"),
            TermsRow.of(row.getString("terms"))));
  }
}
