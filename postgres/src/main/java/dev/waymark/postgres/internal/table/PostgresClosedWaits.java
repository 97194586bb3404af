package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.store.ClosedWaits;
import dev.waymark.engine.store.Waits.WaitRow;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Closed waits on PostgreSQL. */
public final class PostgresClosedWaits implements ClosedWaits {

  // One statement, so a row is never in both places or in neither. "state <> 0" repeats the
  // condition of the partial index: a plan that is made for every state could not use the index
  // otherwise.
  private static final HotStatement ARCHIVE =
      HotStatement.of(
          "closed waits that are old",
          "state int4, before timestamptz, limit int4",
          """
          with old as materialized (
            select instance_id, tag
              from wm_bookmark
             where state = :state
               and state <> 0
               and closed_at < :before
             order by closed_at
             limit :limit
               for update skip locked
          ),
          moved as (
            delete from wm_bookmark b
             using old
             where b.instance_id = old.instance_id
               and b.tag = old.tag
            returning b.*
          )
          insert into wm_bookmark_archive (
            instance_id, tag, tenant, visit, kind, key, payload, due, state, terms, fence, progress,
            created, closed_by, closed_at
          )
          select instance_id, tag, tenant, visit, kind, key, payload, due, state, terms, fence, progress,
                 created, closed_by, closed_at
            from moved
          """);

  // The same transaction stores the moment up to which rows may be gone: the checker must not
  // report them as missing.
  private static final HotStatement FORGET =
      HotStatement.of(
          "old waits of the archive",
          "before timestamptz, limit int4",
          """
          with old as materialized (
            select instance_id, tag
              from wm_bookmark_archive
             where closed_at < :before
             order by closed_at
             limit :limit
               for update skip locked
          ),
          gone as (
            delete from wm_bookmark_archive a
             using old
             where a.instance_id = old.instance_id
               and a.tag = old.tag
            returning a.tag
          ),
          told as (
            update wm_chore
               set forgotten = greatest(forgotten, :before)
             where name = 'bookmarks'
               and exists (select 1 from gone)
          )
          select count(*) from gone
          """);

  private static final String FIND =
      """
      select a.instance_id, a.tenant, a.tag, a.visit, a.kind, a.key, a.payload, a.due, a.state,
             a.created, a.closed_by, a.closed_at, cast(null as text) as holder,
             cast(null as timestamptz) as lease_until, a.fence, a.terms, 0 as stage,
             0 as extensions, a.progress
        from wm_bookmark_archive a
       where a.instance_id = :instance
         and a.tag = :tag
         and a.tenant = :tenant
      """;

  private static final String TAKE_TURN =
      """
      update wm_chore
         set due = coalesce(cast(:now as timestamptz), statement_timestamp())
                     + :every * interval '1 microsecond'
       where name = 'bookmarks'
         and due <= coalesce(cast(:now as timestamptz), statement_timestamp())
      """;

  private final Db db;

  public PostgresClosedWaits(Db db) {
    this.db = db;
    db.watch(ARCHIVE);
    db.watch(FORGET);
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // The order of the ends is what is stored.
  public int archive(Bookmark.End end, Instant before, int limit) {
    return db.call(
        "Archiving closed waits",
        handle ->
            handle
                .createUpdate(ARCHIVE.text())
                .bind("state", end.ordinal() + 1)
                .bind("before", Db.instant(before))
                .bind("limit", limit)
                .execute());
  }

  @Override
  public int forget(Instant before, int limit) {
    return db.call(
        "Emptying the archive",
        handle ->
            handle
                .createQuery(FORGET.text())
                .bind("before", Db.instant(before))
                .bind("limit", limit)
                .mapTo(Integer.class)
                .one());
  }

  @Override
  public @Nullable WaitRow find(String tenant, BookmarkId bookmark) {
    return db.call(
        "Looking into the archive",
        handle ->
            handle
                .createQuery(FIND)
                .bind("instance", bookmark.instance().value())
                .bind("tag", bookmark.tag())
                .bind("tenant", tenant)
                .map((row, context) -> PostgresWaits.waitOf(row))
                .findOne()
                .orElse(null));
  }

  @Override
  public boolean takeTurn(Duration every) {
    return db.call(
        "Taking the housekeeping on",
        handle ->
            handle
                    .createUpdate(TAKE_TURN)
                    .bind("now", db.now())
                    .bind("every", Micros.of(every))
                    .execute()
                == 1);
  }
}
