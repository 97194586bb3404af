package dev.waymark.engine.store;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.query.OpenTimer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that is due: visits to run and timers to fire. These methods only find; taking is a step,
 * and a step can lose a race that a search cannot see.
 */
public interface Duties {

  /** A visit that runs, or ran, somewhere. */
  record Running(InstanceId instance, long visit, int attempt, NodeId node) {}

  /**
   * A visit that may be taken.
   *
   * @param crashes how many nodes died while they ran it
   */
  record Ready(InstanceId instance, long visit, int crashes) {}

  /**
   * Ready visits whose time has come, the longest due first.
   *
   * @param maxCrashes visits with more crashes than these are left out
   */
  List<Ready> ready(int limit, int maxCrashes);

  /** The time, past or future, at which the next such visit is due. */
  @Nullable Instant nextReady(int maxCrashes);

  /** Open timers whose time has come, the longest due first. */
  List<BookmarkId> dueTimers(int limit);

  /** The time, past or future, at which the next timer is due. */
  @Nullable Instant nextTimer();

  /** The same, of the timers that are due after a moment. */
  @Nullable Instant nextTimer(Instant after);

  /** A tenant's open timers that are due up to a moment, the longest due first. */
  List<OpenTimer> timers(String tenant, Instant dueUpTo, int limit);

  /** Running visits whose node is not alive: dead or never known. Lapsed alone is not enough. */
  List<Running> stranded(int limit);

  /** All visits that name this node as the one that runs them. */
  List<Running> runningOn(NodeId node, int limit);

  /**
   * Those of the given visits that no longer run there: ended, released, or at another attempt or
   * node.
   */
  List<Running> superseded(List<Running> believed);
}
