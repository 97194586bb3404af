package dev.waymark.postgres.internal.table;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.query.ClaimOrder;
import dev.waymark.engine.store.ClaimQuery;
import dev.waymark.engine.store.Leases;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import dev.waymark.postgres.internal.sql.Pools;
import dev.waymark.postgres.internal.sql.RowTurns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

public final class PostgresLeases implements Leases {

  /**
   * More bookmarks are looked for than are wanted: other claims run at the same time, and take the
   * rows that they lock.
   */
  private static final int RIVALS = 8;

  /** The number of times a claim looks again because others took all that it had found. */
  private static final int LOOKS = 10;

  /** The status of an instance that is suspended. */
  private static final int SUSPENDED = 1;

  // The row is locked before it is judged, so the answer about it is true when it is given. It is
  // updated by its key: a row that changed while the lock was waited for lies at a place that this
  // statement's snapshot does not see, so an update by that place would miss it.
  private static final HotStatement CLAIM_ONE =
      HotStatement.of(
          "a claim",
          "now timestamptz, instance uuid, tag int8, tenant text, names text[],"
              + " barred text, holder text, lease int8, extensions int4",
          """
          with
          clock as materialized (
            select coalesce(cast(:now as timestamptz), statement_timestamp()) as now
          ),
          seen as materialized (
            select b.*
              from wm_bookmark b
             where b.instance_id = :instance
               and b.tag = :tag
               and b.tenant = :tenant
               for update
          ),
          judged as materialized (
            select seen.*,
                   (seen.audience = ''
                    or (select c.tag
                          from wm_candidate c
                         where c.instance_id = seen.instance_id
                           and c.tag = seen.tag
                           and c.who = any (cast(:names as text[]))
                         limit 1) is not null)
                   and (select c.tag
                          from wm_candidate c
                         where c.instance_id = seen.instance_id
                           and c.tag = seen.tag
                           and c.who = :barred
                         limit 1) is null as permitted,
                   seen.holder is not null and seen.lease_until > (select now from clock) as held,
                   seen.expires is not null and seen.expires <= (select now from clock) as expired
              from seen
          ),
          claimed as (
            update wm_bookmark b
               set holder = :holder,
                   lease_until = (select now from clock) + :lease * interval '1 microsecond',
                   fence = b.fence + 1,
                   extensions = :extensions,
                   stage = 0
              from judged
             where b.instance_id = :instance
               and b.tag = :tag
               and judged.permitted
               and judged.state = 0
               and judged.kind <> 1
               and judged.key not like '$ended:%'
               and not judged.held
               and not judged.expired
            returning b.holder as granted_to, b.fence as granted, b.lease_until as granted_until
          )
          select judged.*, claimed.granted_to, claimed.granted, claimed.granted_until
            from judged
            left join claimed on true
          """);

  // A look-up by key says "state < 1": see PlanCheck.
  private static final HotStatement EXTEND =
      HotStatement.of(
          "an extension",
          "now timestamptz, lease int8, instance uuid, tag int8, holder text, fence int8",
          """
          update wm_bookmark
             set lease_until = coalesce(cast(:now as timestamptz), statement_timestamp())
                               + :lease * interval '1 microsecond',
                 extensions = extensions - 1
           where instance_id = :instance
             and tag = :tag
             and state < 1
             and holder = :holder
             and fence = :fence
             and extensions > 0
             and (expires is null
                  or expires > coalesce(cast(:now as timestamptz), statement_timestamp()))
          returning holder, fence, lease_until
          """);

  private static final HotStatement BEGIN =
      HotStatement.of(
          "a beginning",
          "instance uuid, tag int8, holder text, fence int8",
          """
          update wm_bookmark
             set stage = 1
           where instance_id = :instance
             and tag = :tag
             and state < 1
             and holder = :holder
             and fence = :fence
          returning (select i.status from wm_instance i where i.id = :instance) as status
          """);

  private static final HotStatement PROGRESS =
      HotStatement.of(
          "progress",
          "progress text, instance uuid, tag int8, fence int8, now timestamptz",
          """
          update wm_bookmark
             set progress = :progress
           where instance_id = :instance
             and tag = :tag
             and state < 1
             and case
                   when cast(:fence as int8) is not null then holder is not null and fence = :fence
                   else holder is null
                        or lease_until <= coalesce(cast(:now as timestamptz), statement_timestamp())
                 end
          returning 1
          """);

  private static final HotStatement RELEASE =
      HotStatement.of(
          "a release",
          "instance uuid, tag int8, fence int8",
          """
          update wm_bookmark
             set holder = null,
                 lease_until = null,
                 extensions = 0,
                 stage = 0
           where instance_id = :instance
             and tag = :tag
             and state < 1
             and holder is not null
             and fence = :fence
          returning 1
          """);

  // Held until the pause is over: it cannot be claimed before, and then it is free like any lapsed
  // one. The stage tells it from a lease, so that a step which changes the wait ends the pause.
  private static final HotStatement RELEASE_LATER =
      HotStatement.of(
          "a late release",
          "now timestamptz, lease int8, instance uuid, tag int8, fence int8",
          """
          update wm_bookmark
             set lease_until = coalesce(cast(:now as timestamptz), statement_timestamp())
                               + :lease * interval '1 microsecond',
                 extensions = 0,
                 stage = 2
           where instance_id = :instance
             and tag = :tag
             and state < 1
             and holder is not null
             and fence = :fence
          returning 1
          """);

  // The row is locked before it is judged. A claim whose commit is under way has locked it, and
  // this statement's snapshot has the row as it was before that claim: an update that asks for the
  // fence would pass it by without waiting. It is updated by its key, as a claim does.
  private static final HotStatement WITHDRAW =
      HotStatement.of(
          "a withdrawal",
          "instance uuid, tag int8, holder text, fence int8, until timestamptz",
          """
          with
          seen as materialized (
            select b.holder, b.fence, b.lease_until
              from wm_bookmark b
             where b.instance_id = :instance
               and b.tag = :tag
               and b.state < 1
               for update
          )
          update wm_bookmark b
             set holder = null,
                 lease_until = null,
                 extensions = 0,
                 stage = 0
            from seen
           where b.instance_id = :instance
             and b.tag = :tag
             and b.state < 1
             and seen.holder = :holder
             and seen.fence = :fence
             and seen.lease_until = :until
          returning 1
          """);

  private final DatabaseClock clock;
  private final RowTurns turns = new RowTurns();
  private final Map<ClaimOrder, HotQuery<ClaimRow>> claims = new EnumMap<>(ClaimOrder.class);
  private final HotQuery<Look> claimOne;
  private final HotQuery<Lease> extend;
  private final HotQuery<Begun> begin;
  private final HotQuery<Boolean> progress;
  private final HotQuery<Boolean> release;
  private final HotQuery<Boolean> releaseLater;
  private final HotQuery<Boolean> withdraw;

  /**
   * A row of the claim statement: a claimed bookmark, if there is one, and the number that were
   * found.
   */
  private record ClaimRow(int found, @Nullable Claim claim, long bytes) {}

  public PostgresLeases(Pools pools, DatabaseClock clock) {
    this.clock = clock;
    for (ClaimOrder order : ClaimOrder.values()) {
      claims.put(
          order,
          new HotQuery<>(
              pools, "Claiming bookmarks", ClaimStatement.of(order), PostgresLeases::found));
    }
    claimOne = new HotQuery<>(pools, "Claiming a bookmark", CLAIM_ONE, PostgresLeases::look);
    extend = new HotQuery<>(pools, "Extending a claim", EXTEND, PostgresLeases::lease);
    begin = new HotQuery<>(pools, "Beginning on a claim", BEGIN, PostgresLeases::begun);
    progress = new HotQuery<>(pools, "Saying how far it is", PROGRESS, row -> true);
    release = new HotQuery<>(pools, "Releasing a claim", RELEASE, row -> true);
    releaseLater = new HotQuery<>(pools, "Releasing a claim", RELEASE_LATER, row -> true);
    withdraw = new HotQuery<>(pools, "Withdrawing a claim", WITHDRAW, row -> true);
  }

  @Override
  public List<Claim> claim(ClaimQuery query, List<String> holders, Consumer<List<Claim>> standing) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("now", clock.virtualNow());
    values.put("tenant", query.tenant());
    values.put("kinds", query.kindCodes().toArray(Integer[]::new));
    values.put("names", query.sortedNames().toArray(String[]::new));
    values.put("several", query.severalNames().toArray(String[]::new));
    values.put("barred", query.barred());
    values.put("lease", Micros.of(query.lease()));
    values.put("extensions", query.extensions());
    List<Claim> claimed = new ArrayList<>();
    List<String> left = new ArrayList<>(holders);
    long room = Limits.BATCH_BYTES;
    for (int look = 0; look < LOOKS && !left.isEmpty() && room > 0; look++) {
      values.put("bytes", room);
      values.put("holders", left.toArray(String[]::new));
      values.put("limit", left.size());
      values.put("reach", RIVALS * (left.size() + 1));
      int found = 0;
      int before = claimed.size();
      long bytes = 0;
      for (ClaimRow one :
          claims(query.order()).askAndCommit(values, all -> standing.accept(claimsOf(all)))) {
        found = one.found();
        if (one.claim() != null) {
          claimed.add(one.claim());
          bytes = Math.max(bytes, one.bytes());
          // Removes the holder of this claim, and not simply the first of the list: a row that
          // changed before it was locked is missed, and the holder that it was meant for still
          // waits for one.
          left.remove(one.claim().lease().holder());
        }
      }
      if (found == claimed.size() - before) {
        break;
      }
      room -= bytes;
    }
    return claimed;
  }

  private static List<Claim> claimsOf(List<ClaimRow> all) {
    List<Claim> claims = new ArrayList<>();
    for (ClaimRow one : all) {
      if (one.claim() != null) {
        claims.add(one.claim());
      }
    }
    return claims;
  }

  private HotQuery<ClaimRow> claims(ClaimOrder order) {
    return requireNonNull(claims.get(order), "order");
  }

  @Override
  public @Nullable Look claimOne(One request) {
    Map<String, @Nullable Object> values = of(request.bookmark());
    values.put("tenant", request.tenant());
    values.put("names", new TreeSet<>(request.names()).toArray(String[]::new));
    values.put("barred", Candidates.barred(request.actor()));
    values.put("holder", request.holder());
    values.put("lease", Micros.of(request.lease()));
    values.put("extensions", request.extensions());
    return claimOne.askOnePatiently(turns, request.bookmark(), values);
  }

  @Override
  public @Nullable Lease extend(BookmarkId bookmark, String holder, long fence, Duration lease) {
    Map<String, @Nullable Object> values = of(bookmark);
    values.put("holder", holder);
    values.put("fence", fence);
    values.put("lease", Micros.of(lease));
    return extend.askOnePatiently(turns, bookmark, values);
  }

  @Override
  public Begun begin(BookmarkId bookmark, String holder, long fence) {
    Map<String, @Nullable Object> values = of(bookmark);
    values.put("holder", holder);
    values.put("fence", fence);
    Begun begun = begin.askOnePatiently(turns, bookmark, values);
    return begun == null ? Begun.NOT_CURRENT : begun;
  }

  @Override
  public boolean progress(BookmarkId bookmark, @Nullable Long fence, String document) {
    Map<String, @Nullable Object> values = of(bookmark);
    values.put("fence", fence);
    values.put("progress", document);
    return !progress.askPatiently(turns, bookmark, values).isEmpty();
  }

  @Override
  public boolean release(BookmarkId bookmark, long fence) {
    Map<String, @Nullable Object> values = of(bookmark);
    values.put("fence", fence);
    return !release.askPatiently(turns, bookmark, values).isEmpty();
  }

  @Override
  public boolean release(BookmarkId bookmark, long fence, Duration pause) {
    Map<String, @Nullable Object> values = of(bookmark);
    values.put("fence", fence);
    values.put("lease", Micros.of(pause));
    return !releaseLater.askPatiently(turns, bookmark, values).isEmpty();
  }

  @Override
  public boolean withdraw(BookmarkId bookmark, Lease lease) {
    Map<String, @Nullable Object> values = of(bookmark);
    values.put("holder", lease.holder());
    values.put("fence", lease.fence());
    values.put("until", lease.until());
    return !withdraw.askPatiently(turns, bookmark, values).isEmpty();
  }

  private Map<String, @Nullable Object> of(BookmarkId bookmark) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("now", clock.virtualNow());
    values.put("instance", bookmark.instance().value());
    values.put("tag", bookmark.tag());
    return values;
  }

  private static ClaimRow found(ResultSet row) throws SQLException {
    int found = row.getInt("found");
    return row.getString("holder") == null
        ? new ClaimRow(found, null, 0)
        : new ClaimRow(
            found, new Claim(PostgresWaits.waitOf(row), lease(row)), row.getLong("bytes"));
  }

  private static Look look(ResultSet row) throws SQLException {
    Instant until = Columns.instantOrNull(row, "granted_until");
    return new Look(
        PostgresWaits.waitOf(row),
        row.getBoolean("permitted"),
        row.getBoolean("held"),
        row.getBoolean("expired"),
        until == null
            ? null
            : new Lease(row.getString("granted_to"), row.getLong("granted"), until));
  }

  private static Begun begun(ResultSet row) throws SQLException {
    return row.getInt("status") == SUSPENDED ? Begun.SUSPENDED : Begun.RUNNING;
  }

  private static Lease lease(ResultSet row) throws SQLException {
    return new Lease(
        row.getString("holder"), row.getLong("fence"), Columns.instant(row, "lease_until"));
  }
}
