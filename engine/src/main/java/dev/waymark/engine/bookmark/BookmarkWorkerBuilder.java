package dev.waymark.engine.bookmark;

import dev.waymark.engine.query.ClaimOrder;
import java.time.Duration;
import java.util.Set;

/** Describes a worker; {@link #handle} starts it. */
public interface BookmarkWorkerBuilder {

  /** Under which name it holds and answers waits; history shows it. */
  BookmarkWorkerBuilder name(String given);

  /**
   * Sets the groups in whose name it acts: it claims waits for every user, and waits for one of
   * these.
   */
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

  /** The longest time that it sleeps when this process knows of no wait for it. */
  BookmarkWorkerBuilder longestRest(Duration given);

  /** Starts it. */
  BookmarkWorker handle(BookmarkWorker.Handler handler);
}
