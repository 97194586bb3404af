package dev.waymark.engine.store;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.store.Waits.WaitRow;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Claims on bookmarks. They move no instance, so they are not steps; a command that spends a claim
 * names its fence, and the step checks it on the locked row.
 *
 * <p>An expired wait cannot be claimed or extended.
 */
public interface Leases {

  /**
   * Claims open bookmarks, one for each of the holders or fewer: lapsed claims first, then free
   * ones in the query's order. Claimers pass each other; none gets more than there are holders.
   */
  default List<Claim> claim(ClaimQuery query, List<String> holders) {
    return claim(query, holders, claims -> {});
  }

  /**
   * The same.
   *
   * @param standing told of the claims just before they are committed: they may stand even if this
   *     throws, and their fences tell them from any other claim of the same holder
   */
  List<Claim> claim(ClaimQuery query, List<String> holders, Consumer<List<Claim>> standing);

  /**
   * The same for one holder, who may act on waits without candidates and on waits for him alone.
   */
  default List<Claim> claim(
      String tenant, BookmarkKind kind, String holder, Duration lease, int limit) {
    return claim(ClaimQuery.of(tenant, kind, holder, lease), Collections.nCopies(limit, holder));
  }

  /** A wait as it is once it is claimed. */
  record Claim(WaitRow row, Lease lease) {

    public BookmarkId bookmark() {
      return row.id();
    }

    public String key() {
      return row.bookmark().key();
    }

    public @Nullable String payload() {
      return row.bookmark().payload();
    }
  }

  /**
   * Claims one bookmark if it is open, free and its names are among these; says how it stands.
   *
   * @return absent if the tenant has no such bookmark
   */
  @Nullable Look claimOne(One request);

  /**
   * A request to claim one bookmark.
   *
   * @param names the names of the caller, as {@code user:…} and {@code group:…}
   * @param actor the user who may be excluded from it
   */
  record One(
      String tenant,
      BookmarkId bookmark,
      Set<String> names,
      String actor,
      String holder,
      Duration lease,
      int extensions) {

    public One {
      var unused = Limits.lease(lease);
    }
  }

  /**
   * The state of a bookmark when a caller asked for it. The store judges it once, by the clock that
   * leases and expiries go by; a caller that judged the row again by another clock could contradict
   * it.
   *
   * @param row as it was before
   * @param permitted whether its names are among those of who asked
   * @param held whether it has a live lease
   * @param expired whether its time is over
   * @param granted the lease; absent if it was not given
   */
  record Look(
      WaitRow row, boolean permitted, boolean held, boolean expired, @Nullable Lease granted) {}

  /**
   * Extends a claim whose fence is current, even if it has lapsed; absent if it is not, or if it
   * was extended as often as it may be.
   */
  @Nullable Lease extend(BookmarkId bookmark, String holder, long fence, Duration lease);

  /** The holder has begun. The answer also says how the wait's instance stands. */
  Begun begin(BookmarkId bookmark, String holder, long fence);

  /** Stores that the holder has begun. */
  enum Begun {
    /** The fence is no longer current, so nothing was stored. */
    NOT_CURRENT,
    /** It has begun. */
    RUNNING,
    /** It has begun, and the instance is suspended: held by an operator, or parked, or both. */
    SUSPENDED
  }

  /**
   * Stores the progress of a wait, without completing it.
   *
   * @param fence the current one; absent where there is no live lease
   * @return false if the fence is no longer current, or if there is a live lease and no fence was
   *     given
   */
  boolean progress(BookmarkId bookmark, @Nullable Long fence, String progress);

  /** Gives a claim back; false if its fence is no longer current. The fence stays used. */
  boolean release(BookmarkId bookmark, long fence);

  /**
   * The same for a wait that must not be claimed again before a pause is over. A step that changes
   * the wait ends the pause.
   */
  boolean release(BookmarkId bookmark, long fence, Duration pause);

  /**
   * Gives a claim back that may or may not be committed. If the claim is still under way in the
   * database, this waits for it: after the answer, the claim does not stand and never will.
   *
   * @param lease the lease as it was claimed; a claim that was undone leaves its fence to the next
   *     one, which has another holder or another end
   * @return false if it does not stand
   */
  boolean withdraw(BookmarkId bookmark, Lease lease);
}
