package dev.waymark.engine.store;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.store.Waits.WaitRow;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The retention of closed waits: after a while they leave the table that every step writes to for
 * an archive, and after a longer one the archive too.
 *
 * <p>A run needs none of them any more. A load reads open waits, and a closed one only to tell a
 * second caller which actor was first; events are in history, and command ids have rows of their
 * own.
 *
 * <p>Each call is one short transaction, and two at the same time pass each other.
 */
public interface ClosedWaits {

  /**
   * Moves waits that ended like this before a moment into the archive, the oldest first. At any
   * moment each wait is in exactly one of the two places.
   *
   * @return how many were moved; fewer than the limit if no more are left, but for those that
   *     another node is moving
   */
  int archive(Bookmark.End end, Instant before, int limit);

  /**
   * Removes waits that were closed before a moment from the archive for good, the oldest first.
   *
   * @return how many were removed
   */
  int forget(Instant before, int limit);

  /** One wait of the archive. */
  @Nullable WaitRow find(String tenant, BookmarkId bookmark);

  /**
   * Takes the turn of the housekeeping, for all nodes; false if it is not due, or another node was
   * quicker. A node that dies during its turn leaves the rest to the next turn.
   *
   * @param every the time after which a node may take the next turn
   */
  boolean takeTurn(Duration every);
}
