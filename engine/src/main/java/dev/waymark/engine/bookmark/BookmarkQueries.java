package dev.waymark.engine.bookmark;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.BookmarkHealth.Statistics;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Questions about waits across instances, all of the caller's tenant. */
public interface BookmarkQueries {

  /** One wait, also if it is closed, until the archive has forgotten it. */
  Optional<BookmarkStatus> find(BookmarkId bookmark, Caller caller);

  /** Open waits of that key. */
  List<BookmarkStatus> byKey(String key, Caller caller);

  /** Open waits that a message with this correlation would reach. */
  List<BookmarkStatus> byCorrelation(String correlation, Caller caller);

  /**
   * Open waits of a kind, the first due first. Large documents fill a page before it has as many
   * waits as were asked for: the last page is an empty one.
   *
   * @param after the last one of the page before; absent for the first page
   */
  List<BookmarkStatus> open(BookmarkKind kind, @Nullable Bookmark after, int limit, Caller caller);

  /** Waits whose holder let the lease pass. */
  List<BookmarkStatus> lapsedLeases(int limit, Caller caller);

  /** Open waits of a kind that should have been answered by now, the longest overdue first. */
  List<BookmarkStatus> overdue(BookmarkKind kind, int limit, Caller caller);

  /** The number of open waits, by kind and by state. */
  List<Statistics> statistics(Caller caller);

  /** The open waits, and the problems among them. */
  BookmarkHealth health(Caller caller);
}
