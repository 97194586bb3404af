package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open waits, and what is amiss with them.
 *
 * <p>Waits that are closed are not counted: they are history, which only grows, and how many there
 * were in a while is what metrics say.
 *
 * @param lapsed waits whose holder let the lease pass, at most a page of them
 * @param overdue waits that were due, at most a page of each kind
 * @param lateTimers timers that should have fired long ago, at most a page of them: nothing is
 *     wrong with them, but with who should have let them fire
 * @param warnings what somebody should look at, in words
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
   * @param oldest since when the oldest of those that nobody holds is waiting
   */
  public record Statistics(
      BookmarkKind kind, Map<Bookmark.State, Long> counts, @Nullable Instant oldest) {

    public long count(Bookmark.State state) {
      return counts.getOrDefault(state, 0L);
    }
  }
}
