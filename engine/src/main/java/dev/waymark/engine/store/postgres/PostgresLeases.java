package dev.waymark.engine.store.postgres;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.store.Leases;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class PostgresLeases implements Leases {

  // Lapsed and free bookmarks are found by an index each, so that a claim never walks over what is
  // held. MATERIALIZED, since SKIP LOCKED in a subquery that is run again takes more than its
  // limit;
  // their union too: joined directly, it is run again when a row has changed since the statement
  // began (seen under load). The division fails if it ever takes more.
  static final String CLAIM =
      """
      with
      clock as materialized (
        select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
      ),
      lapsed as materialized (
        select instance_id, tag
          from wm_bookmark
         where state = 0
           and holder is not null
           and tenant = :tenant
           and kind = :kind
           and lease_until <= (select now from clock)
         order by lease_until
         limit :limit
           for update skip locked
      ),
      free as materialized (
        select instance_id, tag
          from wm_bookmark
         where state = 0
           and holder is null
           and kind <> 1
           and key not like '$ended:%'
           and tenant = :tenant
           and kind = :kind
         order by priority desc, created, instance_id, tag
         limit :limit - (select count(*) from lapsed)
           for update skip locked
      ),
      found as materialized (
        select 0 as turn, instance_id, tag from lapsed
        union all
        select 1, instance_id, tag from free
      ),
      claimed as (
        update wm_bookmark b
           set holder = :holder,
               lease_until = (select now from clock) + :lease * interval '1 microsecond',
               fence = b.fence + 1
          from found
         where b.instance_id = found.instance_id
           and b.tag = found.tag
        returning found.turn, b.priority, b.created, b.instance_id, b.tag, b.key, b.payload,
                  b.holder, b.fence, b.lease_until
      )
      select claimed.*, 1 / cast((select count(*) from claimed) <= :limit as int) as whole
        from claimed
       order by turn, priority desc, created, instance_id, tag
      """;

  private static final String EXTEND =
      """
      update wm_bookmark
         set lease_until = coalesce(cast(:now as timestamptz), statement_timestamp())
                           + :lease * interval '1 microsecond'
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder = :holder
         and fence = :fence
      returning holder, fence, lease_until
      """;

  private static final String RELEASE =
      """
      update wm_bookmark
         set holder = null,
             lease_until = null
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder is not null
         and fence = :fence
      """;

  private final Db db;

  PostgresLeases(Db db) {
    this.db = db;
  }

  @Override
  public List<Claim> claim(
      String tenant, BookmarkKind kind, String holder, Duration lease, int limit) {
    return db.call(
        "Claiming bookmarks",
        handle ->
            handle
                .createQuery(CLAIM)
                .bind("now", db.now())
                .bind("tenant", tenant)
                .bind("kind", stored(kind))
                .bind("holder", holder)
                .bind("lease", Micros.of(lease))
                .bind("limit", limit)
                .map((row, context) -> claim(row))
                .list());
  }

  @Override
  public @Nullable Lease extend(BookmarkId bookmark, String holder, long fence, Duration lease) {
    return db.call(
        "Extending a claim",
        handle ->
            handle
                .createQuery(EXTEND)
                .bind("now", db.now())
                .bind("lease", Micros.of(lease))
                .bind("instance", bookmark.instance().value())
                .bind("tag", bookmark.tag())
                .bind("holder", holder)
                .bind("fence", fence)
                .map((row, context) -> lease(row))
                .findOne()
                .orElse(null));
  }

  @Override
  public boolean release(BookmarkId bookmark, long fence) {
    return db.call(
        "Releasing a claim",
        handle ->
            handle
                    .createUpdate(RELEASE)
                    .bind("instance", bookmark.instance().value())
                    .bind("tag", bookmark.tag())
                    .bind("fence", fence)
                    .execute()
                == 1);
  }

  private static int stored(BookmarkKind kind) {
    return switch (kind) {
      case USER_ACTION -> 0;
      case TIMER -> 1;
      case EXTERNAL_MESSAGE -> 2;
      case MANUAL_INTERVENTION -> 3;
      case APPROVAL -> 4;
    };
  }

  private static Claim claim(ResultSet row) throws SQLException {
    return new Claim(
        new BookmarkId(Columns.instanceId(row, "instance_id"), row.getLong("tag")),
        row.getString("key"),
        row.getString("payload"),
        lease(row));
  }

  private static Lease lease(ResultSet row) throws SQLException {
    return new Lease(
        row.getString("holder"), row.getLong("fence"), Columns.instant(row, "lease_until"));
  }
}
