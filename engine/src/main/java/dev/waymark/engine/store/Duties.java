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

  /**
   * The moments at which the next work of each kind is due for a node. One question finds all of
   * it, so that an idle node asks no more than that.
   *
   * @param maxCrashes as in {@link #ready}
   * @param lanes the lanes of the outbox that the node holds
   * @param sinks the sinks that its process listens to
   */
  NextWork nextWork(int maxCrashes, List<Outbox.Lane> lanes, List<String> sinks);

  /**
   * The times, past or future, at which work is due next; absent where there is none.
   *
   * @param timer as {@link #nextTimer()} tells it
   * @param ready as {@link #nextReady} tells it
   * @param outOfTime as {@link Waits#nextOutOfTime} tells it
   * @param schedule as {@link StoredSchedules#nextDue} tells it
   * @param events whether an event for these sinks is pending in these lanes; also true of an event
   *     behind a parked one, which does not come yet
   */
  record NextWork(
      @Nullable Instant timer,
      @Nullable Instant ready,
      @Nullable Instant outOfTime,
      @Nullable Instant schedule,
      boolean events) {}

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
