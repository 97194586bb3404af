package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.bookmark.ClaimedBookmark;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One wait in the hands of a worker of this process. */
final class EngineClaimedBookmark implements ClaimedBookmark {

  private final String tenant;
  private final Bookmark bookmark;
  private final Lease lease;
  private final BookmarkWorkers workers;
  private volatile boolean lost;

  EngineClaimedBookmark(String tenant, Bookmark bookmark, Lease lease, BookmarkWorkers workers) {
    this.tenant = tenant;
    this.bookmark = bookmark;
    this.lease = lease;
    this.workers = workers;
  }

  @Override
  public String tenant() {
    return tenant;
  }

  @Override
  public Bookmark bookmark() {
    return bookmark;
  }

  @Override
  public Map<String, @Nullable Object> payload() {
    return bookmark.payload();
  }

  @Override
  public long claims() {
    return lease.fence();
  }

  @Override
  public boolean progress(Map<String, ? extends @Nullable Object> progress) {
    boolean told = workers.progress(bookmark.id(), tenant, lease.fence(), progress);
    lost |= !told;
    return told;
  }

  @Override
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
