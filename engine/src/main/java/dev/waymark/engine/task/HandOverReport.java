package dev.waymark.engine.task;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.query.InboxPlace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of handing a page of one person's work to another.
 *
 * @param moved the other's now
 * @param left what stayed, each with the reason
 * @param next where the next page begins; absent if this was the last
 */
public record HandOverReport(List<BookmarkId> moved, List<Left> left, @Nullable InboxPlace next) {

  public HandOverReport {
    moved = List.copyOf(moved);
    left = List.copyOf(left);
  }

  /** A task or an approval that was not handed over. */
  public record Left(BookmarkId id, Rejection why) {}
}
