package dev.waymark.postgres.internal.table;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import dev.waymark.engine.store.Waits;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.PagedQuery;
import dev.waymark.postgres.internal.sql.Pools;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Open waits on PostgreSQL. */
public final class PostgresWaits implements Waits {

  // The first few of each name, each by its index, then merged: no name's page depends on how much
  // the others have, and nothing on how much there is beside.
  private static final HotStatement INBOX =
      HotStatement.of(
          "an inbox",
          "names text[], tenant text, after_due timestamptz, after uuid,"
              + " after_tag int8, limit int4, bytes int8",
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
          ),
          found as (
            select page.due as place, b.instance_id, b.tenant, b.tag, b.visit, b.kind, b.key, b.payload,
                   b.due, b.state, b.created, b.closed_by, b.closed_at, b.holder, b.lease_until, b.fence,
                   b.terms, b.stage, b.extensions, b.progress,
                   coalesce(octet_length(b.payload), 0) + coalesce(octet_length(b.terms), 0)
                     + coalesce(octet_length(b.progress), 0) as size
              from page
             cross join lateral (
               select *
                 from wm_bookmark w
                where w.instance_id = page.instance_id
                  and w.tag = page.tag
                  and w.state = 0
               offset 0
             ) b
          ),
          counted as (
            select *, sum(size) over (order by place, instance_id, tag rows unbounded preceding) as bytes
              from found
          )
          select *
            from counted
           where bytes - size < :bytes
           order by place, instance_id, tag
          """);

  private static final BookmarkKind[] KINDS = BookmarkKind.values();

  private static final int READERS = 2;

  private static final String WHAT = "Looking for waits";

  private final DatabaseClock clock;
  private final PagedQuery<WaitRow> inbox;
  private final HotQuery<WaitRow> find;
  private final PagedQuery<WaitRow> byKey;
  private final PagedQuery<WaitRow> byCorrelation;
  private final PagedQuery<WaitRow> open;
  private final PagedQuery<WaitRow> openTimers;
  private final PagedQuery<WaitRow> overdue;
  private final PagedQuery<WaitRow> overdueTimers;
  private final PagedQuery<WaitRow> lapsedLeases;
  private final HotQuery<Count> count;
  private final HotQuery<String> tenants;
  private final HotQuery<BookmarkId> outOfTime;
  private final HotQuery<Optional<Instant>> nextOutOfTime;

  /**
   * Any number of people may look into their inboxes. Only a few look at a time, and in turn: so
   * the engine's own loads always find a connection, and no caller is passed over again and again.
   */
  private final Semaphore readers = new Semaphore(READERS, true);

  public PostgresWaits(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    this.inbox = new PagedQuery<>(pools, "Reading an inbox", INBOX, PostgresWaits::waitOf);
    this.find = new HotQuery<>(pools, WHAT, PostgresWaitTexts.FIND, PostgresWaits::waitOf);
    this.byKey = page(pools, PostgresWaitTexts.BY_KEY);
    this.byCorrelation = page(pools, PostgresWaitTexts.BY_CORRELATION);
    this.open = page(pools, PostgresWaitTexts.OPEN);
    this.openTimers = page(pools, PostgresWaitTexts.OPEN_TIMERS);
    this.overdue = page(pools, PostgresWaitTexts.OVERDUE);
    this.overdueTimers = page(pools, PostgresWaitTexts.OVERDUE_TIMERS);
    this.lapsedLeases = page(pools, PostgresWaitTexts.LAPSED_LEASES);
    this.count =
        new HotQuery<>(pools, "Counting waits", PostgresWaitTexts.COUNT, PostgresWaits::count);
    this.tenants =
        new HotQuery<>(pools, WHAT, PostgresWaitTexts.TENANTS, row -> row.getString("tenant"));
    this.outOfTime = new HotQuery<>(pools, WHAT, PostgresWaitTexts.OUT_OF_TIME, PostgresWaits::id);
    this.nextOutOfTime =
        new HotQuery<>(
            pools,
            WHAT,
            PostgresWaitTexts.NEXT_OUT_OF_TIME,
            row -> Optional.ofNullable(Columns.instantOrNull(row, "moment")));
  }

  private static PagedQuery<WaitRow> page(Pools pools, HotStatement statement) {
    return new PagedQuery<>(pools, WHAT, statement, PostgresWaits::waitOf);
  }

  private List<WaitRow> ask(
      PagedQuery<WaitRow> question, String tenant, Map<String, ?> others, int limit) {
    Map<String, @Nullable Object> values = new HashMap<>(others);
    values.put("tenant", tenant);
    values.put("now", clock.virtualNow());
    return question.ask(values, limit).rows();
  }

  @Override
  public @Nullable WaitRow find(String tenant, BookmarkId bookmark) {
    return find.askOne(
        Map.of("tenant", tenant, "instance", bookmark.instance().value(), "tag", bookmark.tag()));
  }

  @Override
  public List<WaitRow> byKey(String tenant, String key, int limit) {
    return ask(byKey, tenant, Map.of("key", key), limit);
  }

  @Override
  public List<WaitRow> byCorrelation(String tenant, String correlation, int limit) {
    return ask(byCorrelation, tenant, Map.of("correlation", correlation), limit);
  }

  @Override
  public List<WaitRow> open(String tenant, BookmarkKind kind, InboxPlace after, int limit) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("kind", stored(kind));
    values.put("after_due", after.due());
    values.put("after", after.instance().value());
    values.put("after_tag", after.tag());
    return ask(kind == BookmarkKind.TIMER ? openTimers : open, tenant, values, limit);
  }

  @Override
  public List<WaitRow> overdue(String tenant, BookmarkKind kind, Instant before, int limit) {
    return ask(
        kind == BookmarkKind.TIMER ? overdueTimers : overdue,
        tenant,
        Map.of("kind", stored(kind), "before", before),
        limit);
  }

  @Override
  public List<WaitRow> lapsedLeases(String tenant, int limit) {
    return ask(lapsedLeases, tenant, Map.of(), limit);
  }

  @Override
  public List<Count> count(String tenant) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("tenant", tenant);
    values.put("now", clock.virtualNow());
    return count.ask(values);
  }

  @Override
  public List<String> tenantsWith(BookmarkKind kind, int limit) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("kind", stored(kind));
    values.put("now", clock.virtualNow());
    values.put("limit", limit);
    return tenants.ask(values);
  }

  @Override
  public List<BookmarkId> outOfTime(int limit) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("now", clock.virtualNow());
    values.put("limit", limit);
    return outOfTime.ask(values);
  }

  @Override
  public @Nullable Instant nextOutOfTime() {
    return nextOutOfTime.ask(Map.of()).get(0).orElse(null);
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

  private static BookmarkId id(ResultSet row) throws SQLException {
    return new BookmarkId(Columns.instanceId(row, "instance_id"), row.getLong("tag"));
  }

  private static Count count(ResultSet row) throws SQLException {
    return new Count(
        KINDS[row.getInt("kind")],
        row.getLong("available"),
        row.getLong("claimed"),
        row.getLong("processing"),
        row.getLong("expired"),
        Columns.instantOrNull(row, "oldest"));
  }

  @Override
  public Page<WaitRow> inbox(String tenant, Collection<String> who, InboxPlace after, int limit) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("names", who.toArray(String[]::new));
    values.put("tenant", tenant);
    values.put("after_due", after.due());
    values.put("after", after.instance().value());
    values.put("after_tag", after.tag());
    readers.acquireUninterruptibly();
    try {
      return inbox.ask(values, limit);
    } finally {
      readers.release();
    }
  }

  static WaitRow waitOf(ResultSet row) throws SQLException {
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
            TermsRow.of(row.getString("terms"))),
        new Handling(
            row.getInt("stage") == 1, row.getInt("extensions"), row.getString("progress")));
  }
}
