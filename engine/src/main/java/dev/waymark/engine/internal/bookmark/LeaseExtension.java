package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.instance.Lease;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a claim while its handler runs: extends the lease each time that half of it is over. */
final class LeaseExtension {

  private static final Logger log = LoggerFactory.getLogger(LeaseExtension.class);

  private final ThisNode node;
  private final String holder;
  private final Duration lease;
  private final EngineClaimedBookmark work;
  private Scheduler.@Nullable Pending next;
  private boolean over;

  LeaseExtension(ThisNode node, String holder, Duration lease, EngineClaimedBookmark work) {
    this.node = node;
    this.holder = holder;
    this.lease = lease;
    this.work = work;
  }

  synchronized void later() {
    if (!over) {
      next =
          node.scheduler().after(lease.dividedBy(2), () -> node.scheduler().execute(this::extend));
    }
  }

  synchronized void stop() {
    over = true;
    if (next != null) {
      next.cancel();
    }
  }

  private synchronized boolean isOver() {
    return over;
  }

  private void extend() {
    if (isOver()) {
      return;
    }
    try {
      Lease extended =
          node.store().leases().extend(work.bookmark().id(), holder, work.lease().fence(), lease);
      if (extended == null) {
        work.lose();
        return;
      }
    } catch (RuntimeException | Error e) {
      log.warn("Could not extend the claim on {}; trying again", work.bookmark().id(), e);
    }
    later();
  }
}
