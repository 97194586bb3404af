package dev.waymark.engine.store.sqlite;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.store.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leases on SQLite. The one writer makes claiming plain: what a transaction has found, nobody else
 * can take before it ends.
 */
final class SqliteLeases implements Leases {

  private static final String LAPSED =
      """
      select instance_id, tag, key, payload, fence
        from wm_bookmark
       where tenant = :tenant
         and kind = :kind
         and state = 0
         and holder is not null
         and lease_until <= :now
       order by lease_until, instance_id, tag
       limit :limit
      """;

  // Timers are never claimed, and the index leaves them out; it serves only if that is said again.
  private static final String FREE =
      """
      select instance_id, tag, key, payload, fence
        from wm_bookmark
       where tenant = :tenant
         and kind = :kind
         and kind <> 1
         and key not like '$ended:%'
         and state = 0
         and holder is null
       order by priority desc, created, instance_id, tag
       limit :limit
      """;

  private static final String HOLD =
      """
      update wm_bookmark
         set holder = :holder, lease_until = :until, fence = :fence
       where instance_id = :instance
         and tag = :tag
      """;

  private static final String EXTEND =
      """
      update wm_bookmark
         set lease_until = :until
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder = :holder
         and fence = :fence
      """;

  private static final String RELEASE =
      """
      update wm_bookmark
         set holder = null, lease_until = null
       where instance_id = :instance
         and tag = :tag
         and state = 0
         and holder is not null
         and fence = :fence
      """;

  private final Database database;

  SqliteLeases(Database database) {
    this.database = database;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // The order of the kinds is what is stored.
  public List<Claim> claim(
      String tenant, BookmarkKind kind, String holder, Duration lease, int limit) {
    return database.write(
        session -> {
          Instant now = database.now();
          Instant until = now.plus(lease);
          Query.Shape<Claim> shape =
              row ->
                  new Claim(
                      row.bookmark(),
                      row.text("key"),
                      row.textOrNull("payload"),
                      new Lease(holder, row.number("fence") + 1, until));
          List<Claim> claims =
              new ArrayList<>(
                  session
                      .query(LAPSED)
                      .set("tenant", tenant)
                      .set("kind", kind.ordinal())
                      .set("now", now)
                      .set("limit", limit)
                      .list(shape));
          claims.addAll(
              session
                  .query(FREE)
                  .set("tenant", tenant)
                  .set("kind", kind.ordinal())
                  .set("limit", limit - claims.size())
                  .list(shape));
          for (Claim claim : claims) {
            session
                .query(HOLD)
                .set("holder", holder)
                .set("until", until)
                .set("fence", claim.lease().fence())
                .set("instance", claim.bookmark().instance().value())
                .set("tag", claim.bookmark().tag())
                .update();
          }
          return List.copyOf(claims);
        });
  }

  @Override
  public @Nullable Lease extend(BookmarkId bookmark, String holder, long fence, Duration lease) {
    Instant until = database.now().plus(lease);
    int rows =
        database.write(
            session ->
                session
                    .query(EXTEND)
                    .set("until", until)
                    .set("instance", bookmark.instance().value())
                    .set("tag", bookmark.tag())
                    .set("holder", holder)
                    .set("fence", fence)
                    .update());
    return rows == 1 ? new Lease(holder, fence, until) : null;
  }

  @Override
  public boolean release(BookmarkId bookmark, long fence) {
    return database.write(
        session ->
            session
                    .query(RELEASE)
                    .set("instance", bookmark.instance().value())
                    .set("tag", bookmark.tag())
                    .set("fence", fence)
                    .update()
                == 1);
  }
}
