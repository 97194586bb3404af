package dev.waymark.engine.internal.body;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.internal.node.ThisNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The visits that this node has put back because it has no code for their type, and how long it
 * leaves each of them to other nodes.
 *
 * <p>The node that puts a visit back knows exactly when it is due again, and would be the first to
 * take it each time: a node that has the code, and only polls, would never get it. This node
 * therefore waits longer than all others need to look.
 *
 * <p>In memory, and bounded: a node that has forgotten a visit takes it once more and puts it back.
 */
public final class UnknownVisits {

  /**
   * The time that a visit is left to other nodes once it is due: several polls of theirs, so that
   * other nodes without the code can put it back once, too.
   */
  private static final Duration RESERVE = Duration.ofSeconds(15);

  /** Visits that a node remembers; of more, the one that was put back longest ago goes. */
  private static final int MOST = 10_000;

  private final ThisNode node;
  private final Map<VisitKey, Instant> left = new LinkedHashMap<>();

  /** Read without the lock: a node that knows all types pays nothing. */
  private volatile boolean none = true;

  private record VisitKey(InstanceId instance, long visit) {}

  public UnknownVisits(ThisNode node) {
    this.node = node;
  }

  /** This node puts a visit back, and other nodes may take it from that moment on. */
  void leave(InstanceId instance, long visit, Instant due) {
    synchronized (left) {
      VisitKey key = new VisitKey(instance, visit);
      left.remove(key);
      left.put(key, due.plus(RESERVE));
      if (left.size() > MOST) {
        left.remove(left.keySet().iterator().next());
      }
      none = false;
    }
  }

  /**
   * The number of visits that are left to other nodes: a search for ready visits asks for as many
   * more.
   */
  public int count() {
    if (none) {
      return 0;
    }
    Instant now = node.now();
    synchronized (left) {
      left.values().removeIf(until -> !until.isAfter(now));
      none = left.isEmpty();
      return left.size();
    }
  }

  /** True if this node may take the visit now. */
  public boolean admits(InstanceId instance, long visit) {
    if (none) {
      return true;
    }
    synchronized (left) {
      Instant until = left.get(new VisitKey(instance, visit));
      return until == null || !until.isAfter(node.now());
    }
  }
}
