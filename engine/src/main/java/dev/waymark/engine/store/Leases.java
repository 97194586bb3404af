package dev.waymark.engine.store;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Lease;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims on bookmarks. They move no instance, so they are not steps; whoever spends a claim names
 * its fence, and the step checks it on the locked row.
 */
public interface Leases {

  /**
   * Claims up to so many open bookmarks of a kind: lapsed claims first, then free ones by priority
   * and age. Claimers pass each other; none gets more than the limit.
   */
  List<Claim> claim(String tenant, BookmarkKind kind, String holder, Duration lease, int limit);

  record Claim(BookmarkId bookmark, String key, @Nullable String payload, Lease lease) {}

  /** Extends a claim whose fence is current, even if it has lapsed; absent if it is not. */
  @Nullable Lease extend(BookmarkId bookmark, String holder, long fence, Duration lease);

  /** Gives a claim back; false if its fence is no longer current. The fence stays used. */
  boolean release(BookmarkId bookmark, long fence);
}
