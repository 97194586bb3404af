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
 * second caller who was first; what happened is in history, and command ids have rows of their own.
 *
 * <p>Each call is one short transaction, and two at the same time pass each other.
 */
public interface ClosedWaits {

  /**
   * Moves into the archive what ended like this before a moment, the oldest first. Nothing is in
   * neither place, or in both, at any moment.
   *
   * @return how many were moved; fewer than the limit if none is left that nobody else is moving
   */
  int archive(Bookmark.End end, Instant before, int limit);

  /**
   * Removes for good from the archive what was closed before a moment, the oldest first.
   *
   * @return how many were removed
   */
  int forget(Instant before, int limit);

  /** One wait of the archive. */
  @Nullable WaitRow find(String tenant, BookmarkId bookmark);

  /**
   * Takes the housekeeping on, for all nodes; false if it is not due, or another one was quicker.
   * Whoever dies over it leaves the rest to whoever takes the next turn.
   *
   * @param every after which time somebody may take it on again
   */
  boolean takeTurn(Duration every);
}
