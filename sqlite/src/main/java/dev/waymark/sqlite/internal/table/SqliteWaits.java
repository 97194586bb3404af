package dev.waymark.sqlite.internal.table;

import static java.util.Comparator.comparing;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.Waits;
import dev.waymark.sqlite.internal.file.Database;
import dev.waymark.sqlite.internal.file.Micros;
import dev.waymark.sqlite.internal.file.PageDraft;
import dev.waymark.sqlite.internal.file.Query;
import dev.waymark.sqlite.internal.file.Row;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Open waits on SQLite. */
public final class SqliteWaits implements Waits {

  private static final BookmarkKind[] KINDS = BookmarkKind.values();

  private static final Comparator<WaitRow> BY_DUE =
      comparing(
              (WaitRow wait) -> wait.bookmark().due() == null ? Instant.MAX : wait.bookmark().due())
          .thenComparing(WaitRow::instance)
          .thenComparingLong(wait -> wait.bookmark().tag());

  private static final String INBOX =
      """
      select b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.state,
             b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence, b.terms, b.stage,
             b.extensions, b.progress
        from (select c.due, c.instance_id, c.tag
                from wm_candidate c
               where c.tenant = :tenant
                 and c.who = :who
                 and (c.due, c.instance_id, c.tag) > (coalesce(:due, :never), :after, :tag)
               order by c.due, c.instance_id, c.tag
               limit :limit) page
        join wm_bookmark b on b.instance_id = page.instance_id and b.tag = page.tag
       where b.state = 0
       order by page.due, page.instance_id, page.tag
      """;

  private final Database database;

  public SqliteWaits(Database database) {
    this.database = database;
  }

  @Override
  public Page<WaitRow> inbox(String tenant, Collection<String> who, InboxPlace after, int limit) {
    return database.read(
        session -> {
          PageDraft<WaitRow> page = PageDraft.ofWaits(limit);
          for (String name : who) {
            PageDraft<WaitRow> own = PageDraft.ofWaits(limit);
            session
                .query(INBOX)
                .set("tenant", tenant)
                .set("who", name)
                .setDue("due", after.due())
                .set("never", Micros.NEVER)
                .set("after", after.instance().value())
                .set("tag", after.tag())
                .set("limit", limit)
                .fill(own, SqliteWaits::waitOf);
            SortedSet<WaitRow> merged = new TreeSet<>(BY_DUE);
            merged.addAll(page.page().rows());
            merged.addAll(own.page().rows());
            page = PageDraft.ofWaits(limit);
            page.addWhileRoom(merged);
          }
          return page.page();
        });
  }

  @Override
  public @Nullable WaitRow find(String tenant, BookmarkId bookmark) {
    return database.find(
        session ->
            session
                .query(SqliteWaitTexts.FIND)
                .set("instance", bookmark.instance().value())
                .set("tag", bookmark.tag())
                .set("tenant", tenant)
                .first(SqliteWaits::waitOf));
  }

  @Override
  public List<WaitRow> byKey(String tenant, String key, int limit) {
    return database.read(
        session ->
            session
                .query(SqliteWaitTexts.BY_KEY)
                .set("tenant", tenant)
                .set("key", key)
                .set("limit", limit)
                .page(PageDraft.ofWaits(limit), SqliteWaits::waitOf)
                .rows());
  }

  @Override
  public List<WaitRow> byCorrelation(String tenant, String correlation, int limit) {
    return database.read(
        session ->
            session
                .query(SqliteWaitTexts.BY_CORRELATION)
                .set("tenant", tenant)
                .set("correlation", correlation)
                .set("limit", limit)
                .page(PageDraft.ofWaits(limit), SqliteWaits::waitOf)
                .rows());
  }

  @Override
  public List<WaitRow> open(String tenant, BookmarkKind kind, InboxPlace after, int limit) {
    return database.read(
        session ->
            ofKind(session, SqliteWaitTexts.OPEN, SqliteWaitTexts.OPEN_TIMERS, kind)
                .set("tenant", tenant)
                .setDue("after_due", after.due())
                .set("after", after.instance().value())
                .set("after_tag", after.tag())
                .set("limit", limit)
                .page(PageDraft.ofWaits(limit), SqliteWaits::waitOf)
                .rows());
  }

  @Override
  public List<WaitRow> overdue(String tenant, BookmarkKind kind, Instant before, int limit) {
    return database.read(
        session ->
            ofKind(session, SqliteWaitTexts.OVERDUE, SqliteWaitTexts.OVERDUE_TIMERS, kind)
                .set("tenant", tenant)
                .set("before", before)
                .set("limit", limit)
                .page(PageDraft.ofWaits(limit), SqliteWaits::waitOf)
                .rows());
  }

  @SuppressWarnings("EnumOrdinal") // The order of the kinds is what is stored.
  private static Query ofKind(Session session, String others, String timers, BookmarkKind kind)
      throws SQLException {
    return kind == BookmarkKind.TIMER
        ? session.query(timers)
        : session.query(others).set("kind", kind.ordinal());
  }

  @Override
  public List<WaitRow> lapsedLeases(String tenant, int limit) {
    return database.read(
        session ->
            session
                .query(SqliteWaitTexts.LAPSED_LEASES)
                .set("tenant", tenant)
                .set("now", database.now())
                .set("limit", limit)
                .page(PageDraft.ofWaits(limit), SqliteWaits::waitOf)
                .rows());
  }

  @Override
  public List<Count> count(String tenant) {
    return database.read(
        session ->
            session
                .query(SqliteWaitTexts.COUNT)
                .set("tenant", tenant)
                .set("now", database.now())
                .list(
                    row ->
                        new Count(
                            KINDS[row.smallNumber("kind")],
                            row.number("available"),
                            row.number("claimed"),
                            row.number("processing"),
                            row.number("expired"),
                            row.instantOrNull("oldest"))));
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // The order of the kinds is what is stored.
  public List<String> tenantsWith(BookmarkKind kind, int limit) {
    return database.read(
        session ->
            session
                .query(SqliteWaitTexts.TENANTS)
                .set("kind", kind.ordinal())
                .set("now", database.now())
                .set("limit", limit)
                .list(row -> row.text("tenant")));
  }

  @Override
  public List<BookmarkId> outOfTime(int limit) {
    return database.read(
        session ->
            session
                .query(SqliteWaitTexts.OUT_OF_TIME)
                .set("now", database.now())
                .set("limit", limit)
                .list(Row::bookmark));
  }

  @Override
  public @Nullable Instant nextOutOfTime() {
    List<Optional<Instant>> next =
        database.read(
            session ->
                session
                    .query(SqliteWaitTexts.NEXT_OUT_OF_TIME)
                    .list(row -> Optional.ofNullable(row.instantOrNull("moment"))));
    return next.get(0).orElse(null);
  }

  static WaitRow waitOf(Row row) throws SQLException {
    return new WaitRow(
        row.instance("instance_id"), row.text("tenant"), RowMappers.bookmark(row), handling(row));
  }

  private static Handling handling(Row row) throws SQLException {
    return new Handling(
        row.number("stage") == 1, row.smallNumber("extensions"), row.textOrNull("progress"));
  }
}
