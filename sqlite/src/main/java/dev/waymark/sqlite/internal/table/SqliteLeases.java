package dev.waymark.sqlite.internal.table;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.query.ClaimOrder;
import dev.waymark.engine.store.ClaimQuery;
import dev.waymark.engine.store.Leases;
import dev.waymark.engine.store.Waits.WaitRow;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leases on SQLite. The one writer makes claiming simple: no other transaction can take a row that
 * this one has found before it ends.
 */
public final class SqliteLeases implements Leases {

  private static final Comparator<Free> BY_AGE =
      comparing((Free free) -> free.row().bookmark().created())
          .thenComparing(free -> free.row().id());
  private static final Comparator<Free> BY_PRIORITY =
      comparingInt(Free::turn)
          .thenComparing(comparingInt(Free::priority).reversed())
          .thenComparing(BY_AGE);
  private static final Comparator<Free> BY_DUE =
      comparingInt(Free::turn)
          .thenComparing(SqliteLeases::due)
          .thenComparing(comparingInt(Free::priority).reversed())
          .thenComparing(BY_AGE);

  private final Database database;

  /** A wait that has no holder now; those whose lease has lapsed come first. */
  private record Free(int turn, int priority, WaitRow row) {

    long size() {
      return row.size();
    }
  }

  /** The state of a wait by the clock of the database. */
  private record Standing(boolean claimable, boolean held, boolean expired) {

    static Standing of(Row row) throws SQLException {
      return new Standing(
          row.smallNumber("claimable") == 1,
          row.smallNumber("held") == 1,
          row.smallNumber("expired") == 1);
    }

    boolean isFree() {
      return claimable && !held && !expired;
    }
  }

  private static Instant due(Free free) {
    Instant due = free.row().bookmark().due();
    return due == null ? Instant.MAX : due;
  }

  public SqliteLeases(Database database) {
    this.database = database;
  }

  @Override
  public List<Claim> claim(ClaimQuery query, List<String> holders, Consumer<List<Claim>> standing) {
    return database.write(
        session -> {
          Instant now = database.now();
          Instant until = now.plus(query.lease());
          List<Claim> claims = new ArrayList<>();
          for (WaitRow wait : next(session, query, now, holders.size())) {
            Lease lease = new Lease(holders.get(claims.size()), wait.bookmark().fence() + 1, until);
            hold(session, wait.id(), lease, query.extensions());
            claims.add(new Claim(wait, lease));
          }
          standing.accept(List.copyOf(claims));
          return List.copyOf(claims);
        });
  }

  private static List<WaitRow> next(Session session, ClaimQuery query, Instant now, int limit)
      throws SQLException {
    Sought found = new Sought(query.order() == ClaimOrder.DUE ? BY_DUE : BY_PRIORITY, limit);
    for (int kind : query.kindCodes()) {
      for (String name : query.sortedNames()) {
        found.add(0, sought(session.query(SqliteLeaseTexts.LAPSED), query, kind, name, now, limit));
        if (query.order() == ClaimOrder.DUE) {
          found.add(
              1, sought(session.query(SqliteLeaseTexts.DATED), query, kind, name, now, limit));
        }
        if (query.order() == ClaimOrder.PRIORITY_THEN_AGE || found.size() < limit) {
          String free =
              query.order() == ClaimOrder.DUE
                  ? SqliteLeaseTexts.FREE_WITHOUT_DUE
                  : SqliteLeaseTexts.FREE;
          found.add(1, sought(session.query(free), query, kind, name, now, limit));
        }
      }
      for (String name : query.severalNames()) {
        found.add(
            1, sought(session.query(SqliteLeaseTexts.SEVERAL), query, kind, name, now, limit));
      }
    }
    return found.first().stream().map(Free::row).toList();
  }

  /** The free waits that several queries find: of all of them as many as one page holds. */
  private static final class Sought {

    private final Comparator<Free> order;
    private final int limit;
    private final Map<BookmarkId, Free> found = new LinkedHashMap<>();

    Sought(Comparator<Free> order, int limit) {
      this.order = order;
      this.limit = limit;
    }

    int size() {
      return found.size();
    }

    void add(int turn, Query query) throws SQLException {
      PageDraft<Free> own = draft();
      query.fill(own, row -> new Free(turn, row.smallNumber("priority"), SqliteWaits.waitOf(row)));
      own.page().forEach(free -> found.putIfAbsent(free.row().id(), free));
      long bytes = found.values().stream().mapToLong(Free::size).sum();
      if (bytes > Limits.BATCH_BYTES) {
        List<Free> kept = first();
        found.clear();
        kept.forEach(free -> found.put(free.row().id(), free));
      }
    }

    List<Free> first() {
      PageDraft<Free> page = draft();
      page.addWhileRoom(found.values().stream().sorted(order).toList());
      return page.page().rows();
    }

    private PageDraft<Free> draft() {
      return new PageDraft<>(limit, Free::size);
    }
  }

  private static Query sought(
      Query text, ClaimQuery query, int kind, String name, Instant now, int limit)
      throws SQLException {
    return text.set("tenant", query.tenant())
        .set("kind", kind)
        .set("who", name)
        .set("barred", query.barred())
        .set("now", now)
        .set("limit", limit);
  }

  private static void hold(Session session, BookmarkId bookmark, Lease lease, int extensions)
      throws SQLException {
    of(session.query(SqliteLeaseTexts.HOLD), bookmark)
        .set("holder", lease.holder())
        .set("until", lease.until())
        .set("fence", lease.fence())
        .set("extensions", extensions)
        .update();
  }

  @Override
  public @Nullable Look claimOne(One request) {
    return database.write(session -> Optional.ofNullable(look(session, request))).orElse(null);
  }

  private @Nullable Look look(Session session, One request) throws SQLException {
    Instant now = database.now();
    WaitRow wait =
        of(session.query(SqliteLeaseTexts.ONE), request.bookmark())
            .set("tenant", request.tenant())
            .first(SqliteWaits::waitOf);
    if (wait == null) {
      return null;
    }
    boolean permitted = isPermitted(session, request);
    Standing standing =
        of(session.query(SqliteLeaseTexts.STANDING), request.bookmark())
            .set("now", now)
            .first(Standing::of);
    if (!permitted || standing == null || !standing.isFree()) {
      return new Look(
          wait,
          permitted,
          standing != null && standing.held(),
          standing != null && standing.expired(),
          null);
    }
    Lease lease =
        new Lease(request.holder(), wait.bookmark().fence() + 1, now.plus(request.lease()));
    hold(session, request.bookmark(), lease, request.extensions());
    return new Look(wait, true, false, false, lease);
  }

  private static boolean isPermitted(Session session, One request) throws SQLException {
    if (isMarked(session, request.bookmark(), Candidates.barred(request.actor()))) {
      return false;
    }
    if (of(session.query(SqliteLeaseTexts.IS_FOR_ANYBODY), request.bookmark()).exists()) {
      return true;
    }
    for (String name : request.names()) {
      if (isMarked(session, request.bookmark(), name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMarked(Session session, BookmarkId bookmark, String who)
      throws SQLException {
    return of(session.query(SqliteLeaseTexts.IS_MARKED), bookmark).set("who", who).exists();
  }

  @Override
  public @Nullable Lease extend(BookmarkId bookmark, String holder, long fence, Duration lease) {
    Instant now = database.now();
    Instant until = now.plus(lease);
    int rows =
        database.write(
            session ->
                of(session.query(SqliteLeaseTexts.EXTEND), bookmark)
                    .set("until", until)
                    .set("holder", holder)
                    .set("fence", fence)
                    .set("now", now)
                    .update());
    return rows == 1 ? new Lease(holder, fence, until) : null;
  }

  @Override
  public Begun begin(BookmarkId bookmark, String holder, long fence) {
    return database.write(
        session -> {
          int rows =
              of(session.query(SqliteLeaseTexts.BEGIN), bookmark)
                  .set("holder", holder)
                  .set("fence", fence)
                  .update();
          if (rows != 1) {
            return Begun.NOT_CURRENT;
          }
          return session
                  .query(SqliteLeaseTexts.IS_SUSPENDED)
                  .set("instance", bookmark.instance().value())
                  .exists()
              ? Begun.SUSPENDED
              : Begun.RUNNING;
        });
  }

  @Override
  public boolean progress(BookmarkId bookmark, @Nullable Long fence, String progress) {
    return database.write(
        session ->
            of(session.query(SqliteLeaseTexts.PROGRESS), bookmark)
                    .set("fence", fence)
                    .set("progress", progress)
                    .set("now", database.now())
                    .update()
                == 1);
  }

  @Override
  public boolean release(BookmarkId bookmark, long fence) {
    return database.write(
        session ->
            of(session.query(SqliteLeaseTexts.RELEASE), bookmark).set("fence", fence).update()
                == 1);
  }

  @Override
  public boolean release(BookmarkId bookmark, long fence, Duration pause) {
    return database.write(
        session ->
            of(session.query(SqliteLeaseTexts.RELEASE_LATER), bookmark)
                    .set("fence", fence)
                    .set("until", database.now().plus(pause))
                    .update()
                == 1);
  }

  @Override
  public boolean withdraw(BookmarkId bookmark, Lease lease) {
    return database.write(
        session ->
            of(session.query(SqliteLeaseTexts.WITHDRAW), bookmark)
                    .set("holder", lease.holder())
                    .set("fence", lease.fence())
                    .set("until", lease.until())
                    .update()
                == 1);
  }

  private static Query of(Query query, BookmarkId bookmark) throws SQLException {
    return query.set("instance", bookmark.instance().value()).set("tag", bookmark.tag());
  }
}
