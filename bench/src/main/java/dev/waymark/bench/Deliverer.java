package dev.waymark.bench;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.engine.store.Outbox.Pending;
import dev.waymark.engine.store.Outbox.Selection;
import dev.waymark.engine.store.Store;
import java.time.Duration;
import java.util.List;

/**
 * Reads and deletes events without the engine, beside a limit whose rows have events: the limit of
 * W1e carries the same traffic.
 */
final class Deliverer implements AutoCloseable {

  /** As many as the engine reads at once. */
  private static final int PAGE = 1_000;

  /** Under which the benchmarks subscribe. */
  private static final List<String> SINKS = List.of("bench");

  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration IDLE = Duration.ofMillis(2);

  private final Store store;
  private final NodeId node;
  private final Crew crew = new Crew();
  private volatile boolean stopping;

  Deliverer(Store store, NodeId node) {
    this.store = store;
    this.node = node;
    crew.add(Thread.ofVirtual(), this::deliver);
    crew.start();
  }

  private void deliver() throws InterruptedException {
    List<Lane> lanes = store.outbox().lease(node, Outbox.LANES, LEASE);
    while (!stopping) {
      List<Pending> events = store.outbox().next(Selection.of(lanes, SINKS), PAGE);
      if (events.isEmpty()) {
        Thread.sleep(IDLE);
      } else {
        var unused = store.outbox().delivered(node, events);
      }
    }
    store.outbox().release(node);
  }

  void stop() throws InterruptedException {
    stopping = true;
    crew.join();
  }

  @Override
  public void close() {
    stopping = true;
  }
}
