package dev.waymark.engine.internal.outbox;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.internal.node.Backoff;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Outbox.Pending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events that listeners have taken and that could not be deleted yet. No more events are read
 * before they are deleted: a page would begin with them again, and each listener would be called
 * for the same event as often as the node looks.
 */
final class DeliveredEvents {

  private static final Logger log = LoggerFactory.getLogger(DeliveredEvents.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  private final Outbox outbox;
  private final List<Pending> kept = new ArrayList<>();
  private int failures;

  DeliveredEvents(Outbox outbox) {
    this.outbox = outbox;
  }

  /**
   * Deletes these, or keeps them if that fails.
   *
   * @return false if none was there, so that another node has their lanes
   */
  boolean delete(NodeId as, List<Pending> events) {
    if (events.isEmpty()) {
      return true;
    }
    try {
      boolean found = outbox.delivered(as, events) > 0;
      failed(0);
      return found;
    } catch (RuntimeException | Error e) {
      log.warn("Could not delete {} delivered events; trying again", events.size(), e);
      synchronized (this) {
        kept.addAll(events);
        failed(failures + 1);
      }
      return true;
    }
  }

  /** Tries again with all that are kept; the result is as of {@link #delete}. */
  boolean deleteKept(NodeId as) {
    List<Pending> again;
    synchronized (this) {
      again = List.copyOf(kept);
      kept.clear();
    }
    return delete(as, again);
  }

  synchronized boolean isEmpty() {
    return kept.isEmpty();
  }

  /** The pause before the next try. */
  synchronized Duration pause() {
    return BACKOFF.after(failures + 1);
  }

  private synchronized void failed(int times) {
    failures = times;
  }
}
