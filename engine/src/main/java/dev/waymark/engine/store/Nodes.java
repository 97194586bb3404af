package dev.waymark.engine.store;

import dev.waymark.core.instance.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes that take part. Validity is measured by the database's clock alone, and death is
 * declared, not inferred.
 */
public interface Nodes {

  /**
   * Enters a node as alive. On SQLite, where the lock file proves the others gone, declares them.
   */
  Renewal register(NodeId node, String name, Duration lease);

  /** Extends a node's validity, whether it had lapsed or not; a dead node stays dead. */
  Renewal renew(NodeId node, Duration lease);

  /**
   * The result of a renewal.
   *
   * @param databaseTime the database's clock when the statement reached it: the engine's clock
   *     follows it
   * @param took how long the statement then took, by the same clock: it may have waited for a lock
   * @param nextLapse when the lease of the first other node lapses, or has lapsed, that is alive;
   *     absent if there is none
   */
  record Renewal(boolean alive, Instant databaseTime, Duration took, @Nullable Instant nextLapse) {}

  /**
   * Turns lapsed nodes from ALIVE to DEAD. Only a node whose own renewals had no gap may ask.
   *
   * @return those that this call has declared
   */
  List<NodeId> declareLapsedDead(NodeId by);

  /** A node's own end: DEAD at once, so that no other node waits for its lease to lapse. */
  void leave(NodeId node);

  List<NodeRow> list();

  record NodeRow(NodeId id, String name, boolean alive, Instant validUntil, Instant started) {}
}
