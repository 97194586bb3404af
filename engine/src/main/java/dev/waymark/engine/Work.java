package dev.waymark.engine;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Lease;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One wait in the hands of a worker, while its handler runs. */
public final class Work {

  private final String tenant;
  private final Bookmark bookmark;
  private final Lease lease;
  private final BookmarkWorkers workers;
  private volatile boolean lost;

  Work(String tenant, Bookmark bookmark, Lease lease, BookmarkWorkers workers) {
    this.tenant = tenant;
    this.bookmark = bookmark;
    this.lease = lease;
    this.workers = workers;
  }

  public String tenant() {
    return tenant;
  }

  public Bookmark bookmark() {
    return bookmark;
  }

  /** What the wait shows to whoever answers it. */
  public Map<String, @Nullable Object> payload() {
    return bookmark.payload();
  }

  /** How often it has been claimed, this time included: more than once if it failed before. */
  public long claims() {
    return lease.fence();
  }

  /**
   * Says how far it is; whoever takes it over reads it.
   *
   * @return false if it is no longer this worker's, so that going on is of no use
   */
  public boolean progress(Map<String, ? extends @Nullable Object> progress) {
    boolean told = workers.progress(bookmark.id(), lease.fence(), progress);
    lost |= !told;
    return told;
  }

  /** Whether somebody else has it by now: whatever the handler answers will be refused. */
  public boolean isLost() {
    return lost;
  }

  void lose() {
    lost = true;
  }

  Lease lease() {
    return lease;
  }
}
