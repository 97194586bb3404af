package dev.waymark.engine.store;

import dev.waymark.core.instance.NodeId;
import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database, as the engine sees it. Two implementations, one contract suite.
 *
 * <p>Every method is one transaction of its own, except the {@code …On} forms, which take part in
 * the caller's. All of them throw {@link StoreException} for faults of the world.
 */
public interface Store extends AutoCloseable {

  /**
   * Brings the schema up to date. Safe from two nodes at once; refuses a schema newer than ours.
   */
  void migrate();

  /**
   * Fails at the start of a node if a hot statement would read a big table from end to end. A store
   * whose plans cannot go wrong has nothing to check.
   *
   * @return plans that read an index from end to end, in words: that depends on the planner's
   *     statistics of today, so it is logged and does not stop the start
   * @throws IllegalStateException naming the statement and the table
   */
  default List<String> checkPlans() {
    return List.of();
  }

  /**
   * Commits units of different instances, each by itself: one that cannot commit leaves no row and
   * does not hold up the others. Never waits for a row.
   *
   * <p>If it throws, nothing is committed, except with {@link StoreException.Kind#UNKNOWN_OUTCOME}:
   * then the same units may be submitted again, and of those that turn out {@code STALE} or {@code
   * EXISTS} the history tells whether they were committed before ({@link StoredInstances#history}).
   *
   * @return one result for each unit, in their order
   */
  List<CommitResult> commit(NodeId node, List<UnitRows> units);

  /**
   * Commits one unit in the caller's transaction, waiting for its rows. Nothing is durable before
   * the caller commits.
   *
   * @param node the committing node, or absent if the caller's own process is not one
   */
  CommitResult commitOn(Connection connection, @Nullable NodeId node, UnitRows unit);

  /**
   * Commits one unit in a transaction of its own, waiting a while for its rows; the unit is {@code
   * BUSY} if others hold them longer than that.
   */
  default CommitResult commitWaiting(NodeId node, UnitRows unit) {
    return inTransaction(connection -> commitOn(connection, node, unit));
  }

  /** Answers many questions in one statement, in their order. */
  List<Load.Answer> load(List<Load> questions);

  /**
   * The same for questions that are asked together only because they came together: what would be
   * too much to hold in memory at once is left out of the answer and says so. A question that is
   * asked alone is always answered.
   */
  List<Load.Answer> loadTogether(List<Load> questions);

  /** The same as {@link #load} inside the caller's transaction. */
  Load.Answer loadOn(Connection connection, Load question);

  /**
   * Runs work in one transaction on a connection that no committer needs (on SQLite: on the one
   * writer), commits it when the work returns and rolls it back when it throws.
   */
  <T> T inTransaction(Work<T> work);

  /** Work of an application in a transaction that it shares with the engine. */
  interface Work<T> {
    T run(Connection connection) throws Exception;
  }

  /**
   * Refuses to let this thread wait for work of another one, if it is in the middle of a
   * transaction that all others wait for: both would wait until the caller's time is over.
   *
   * @throws IllegalStateException saying what to use instead
   */
  default void refuseToWaitHere() {}

  /** The other parts of a store, by subject. */
  Parts parts();

  /** A store's parts. Each is made once and may be called from any thread. */
  record Parts(
      Nodes nodes,
      Duties duties,
      Outbox outbox,
      Inbox inbox,
      Broadcasts broadcasts,
      Correlations correlations,
      Starts starts,
      Leases leases,
      Waits waits,
      ClosedWaits closedWaits,
      Turns turns,
      StoredPayloads payloads,
      StoredDefinitions definitions,
      StoredSchedules schedules,
      StoredInstances instances) {}

  default Nodes nodes() {
    return parts().nodes();
  }

  default Duties duties() {
    return parts().duties();
  }

  default Outbox outbox() {
    return parts().outbox();
  }

  default Inbox inbox() {
    return parts().inbox();
  }

  default Broadcasts broadcasts() {
    return parts().broadcasts();
  }

  default Correlations correlations() {
    return parts().correlations();
  }

  default Starts starts() {
    return parts().starts();
  }

  default Leases leases() {
    return parts().leases();
  }

  default Waits waits() {
    return parts().waits();
  }

  default ClosedWaits closedWaits() {
    return parts().closedWaits();
  }

  default Turns turns() {
    return parts().turns();
  }

  default StoredPayloads payloads() {
    return parts().payloads();
  }

  default StoredDefinitions definitions() {
    return parts().definitions();
  }

  default StoredSchedules schedules() {
    return parts().schedules();
  }

  default StoredInstances instances() {
    return parts().instances();
  }

  /**
   * Looks for violations of the invariants in the database; for operators, and for every test with
   * faults.
   */
  Checker checker();

  /** The most units and bytes of a batch, and the most committers side by side. */
  Capacity capacity();

  record Capacity(int committers, int unitsPerBatch, int bytesPerBatch) {}

  @Override
  void close();
}
