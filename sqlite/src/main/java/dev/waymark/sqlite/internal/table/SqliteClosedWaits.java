package dev.waymark.sqlite.internal.table;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.store.ClosedWaits;
import dev.waymark.engine.store.Waits.WaitRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closed waits on SQLite: a batch is short, because the one writer commits nothing beside it. */
public final class SqliteClosedWaits implements ClosedWaits {

  private static final String OLD =
      """
      select instance_id, tag
        from wm_bookmark
       where state = :state
         and state <> 0
         and closed_at < :before
       order by closed_at
       limit :limit
      """;

  private static final String COPY =
      """
      insert into wm_bookmark_archive (
        instance_id, tag, tenant, visit, kind, key, payload, due, state, terms, fence, progress,
        created, closed_by, closed_at
      )
      select instance_id, tag, tenant, visit, kind, key, payload, due, state, terms, fence, progress,
             created, closed_by, closed_at
        from wm_bookmark
       where instance_id = :instance
         and tag = :tag
      """;

  private static final String DELETE =
      """
      delete from wm_bookmark where instance_id = :instance and tag = :tag
      """;

  private static final String FORGET =
      """
      delete from wm_bookmark_archive
       where (instance_id, tag) in (select instance_id, tag
                                      from wm_bookmark_archive
                                     where closed_at < :before
                                     order by closed_at
                                     limit :limit)
      """;

  // The same transaction stores the moment up to which rows may be gone: the checker must not
  // report them as missing.
  private static final String TELL =
      """
      update wm_chore set forgotten = max(forgotten, :before) where name = 'bookmarks'
      """;

  private static final String FIND =
      """
      select a.instance_id, a.tenant, a.tag, a.visit, a.kind, a.key, a.payload, a.due, a.state,
             a.created, a.closed_by, a.closed_at, null as holder, null as lease_until, a.fence,
             a.terms, 0 as stage, 0 as extensions, a.progress
        from wm_bookmark_archive a
       where a.instance_id = :instance
         and a.tag = :tag
         and a.tenant = :tenant
      """;

  private static final String TAKE_TURN =
      """
      update wm_chore set due = :next where name = 'bookmarks' and due <= :now
      """;

  private final Database database;

  public SqliteClosedWaits(Database database) {
    this.database = database;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // The order of the ends is what is stored.
  public int archive(Bookmark.End end, Instant before, int limit) {
    return database.write(
        session -> {
          List<BookmarkId> old =
              session
                  .query(OLD)
                  .set("state", end.ordinal() + 1L)
                  .set("before", before)
                  .set("limit", limit)
                  .list(Row::bookmark);
          for (BookmarkId bookmark : old) {
            change(session, COPY, bookmark);
            change(session, DELETE, bookmark);
          }
          return old.size();
        });
  }

  private static void change(Session session, String sql, BookmarkId bookmark) throws SQLException {
    int changed =
        session
            .query(sql)
            .set("instance", bookmark.instance().value())
            .set("tag", bookmark.tag())
            .update();
    if (changed != 1) {
      throw new IllegalStateException(
          "Expected to move bookmark %s, but changed %d rows".formatted(bookmark, changed));
    }
  }

  @Override
  public int forget(Instant before, int limit) {
    return database.write(
        session -> {
          int gone = session.query(FORGET).set("before", before).set("limit", limit).update();
          if (gone > 0) {
            var unused = session.query(TELL).set("before", before).update();
          }
          return gone;
        });
  }

  @Override
  public @Nullable WaitRow find(String tenant, BookmarkId bookmark) {
    return database.find(
        session ->
            session
                .query(FIND)
                .set("instance", bookmark.instance().value())
                .set("tag", bookmark.tag())
                .set("tenant", tenant)
                .first(SqliteWaits::waitOf));
  }

  @Override
  public boolean takeTurn(Duration every) {
    Instant now = database.now();
    return database.write(
        session ->
            session.query(TAKE_TURN).set("now", now).set("next", now.plus(every)).update() == 1);
  }
}
