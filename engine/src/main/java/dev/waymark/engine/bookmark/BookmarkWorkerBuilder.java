package dev.waymark.engine.bookmark;

import dev.waymark.engine.query.ClaimOrder;
import java.time.Duration;
import java.util.Set;

/** Describes a worker; {@link #handle} starts it. */
public interface BookmarkWorkerBuilder {

  /** Under which name it holds and answers waits; history shows it. */
  BookmarkWorkerBuilder name(String given);

  /** In whose name it acts: it takes what anybody may act on, and what is for one of these. */
  BookmarkWorkerBuilder groups(Set<String> given);

  /** The tenants whose waits it takes; without it, those of all tenants, in turns. */
  BookmarkWorkerBuilder tenants(Set<String> given);

  /** The number of handlers that run at once. */
  BookmarkWorkerBuilder concurrency(int given);

  BookmarkWorkerBuilder orderedBy(ClaimOrder given);

  /**
   * The time after which others may take over when this process dies; it is extended while a
   * handler runs.
   */
  BookmarkWorkerBuilder lease(Duration given);

  /** The longest time that it sleeps when there is nothing to do that this process has heard of. */
  BookmarkWorkerBuilder longestRest(Duration given);

  /** Starts it. */
  BookmarkWorker handle(BookmarkWorker.Handler handler);
}
