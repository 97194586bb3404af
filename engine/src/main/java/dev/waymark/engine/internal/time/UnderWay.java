package dev.waymark.engine.internal.time;

import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.CommandPage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Due rows for which a command was posted that has no outcome yet: a search still finds them.
 *
 * <p>Knowing them, a duty can look for what has come due meanwhile without waiting for an instance
 * whose row is locked. A command without an outcome is posted again when {@link
 * CommandPage#PATIENCE} is over; the store refuses the second.
 */
final class UnderWay<T> {

  /** How long a page waits for those of its commands that take longest. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** With more than these under way a page waits longer: the queues behind it are to drain. */
  private static final int MOST = 4_000;

  private final ThisNode node;
  private final Map<T, Instant> since = new ConcurrentHashMap<>();

  UnderWay(ThisNode node) {
    this.node = node;
  }

  /** True if a command is to be posted for this row, which is under way from now on. */
  boolean begins(T row) {
    Instant now = node.now();
    Instant before = since.putIfAbsent(row, now);
    return before == null
        || (before.plus(CommandPage.PATIENCE).isBefore(now) && since.replace(row, before, now));
  }

  void ended(T row) {
    since.remove(row);
  }

  int count() {
    return since.size();
  }

  /** How long the page whose commands were posted last holds up the next. */
  Duration patience() {
    return count() > MOST ? CommandPage.PATIENCE : PATIENCE;
  }
}
