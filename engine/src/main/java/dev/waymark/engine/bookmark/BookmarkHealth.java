package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open waits, and the problems among them.
 *
 * <p>Closed waits are not counted: they are history, which only grows, and metrics count how many
 * were closed in a while.
 *
 * @param lapsed waits whose holder let the lease pass, at most a page of them
 * @param overdue waits that were due, at most a page of each kind
 * @param lateTimers timers that should have fired long ago, at most a page of them: the fault is
 *     not theirs, but that of the nodes, which should have fired them
 * @param warnings the problems that an operator should look at, in words
 */
public record BookmarkHealth(
    List<Statistics> statistics,
    List<BookmarkStatus> lapsed,
    List<BookmarkStatus> overdue,
    List<BookmarkStatus> lateTimers,
    List<String> warnings) {

  /**
   * The number of open waits of a kind, by state.
   *
   * @param oldest the moment at which the oldest wait without a holder began
   */
  public record Statistics(
      BookmarkKind kind, Map<Bookmark.State, Long> counts, @Nullable Instant oldest) {

    public long count(Bookmark.State state) {
      return counts.getOrDefault(state, 0L);
    }
  }
}
