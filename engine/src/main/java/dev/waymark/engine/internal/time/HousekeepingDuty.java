package dev.waymark.engine.internal.time;

import dev.waymark.engine.internal.node.RepeatingTask;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the housekeeping, one node for all. A node takes the turn in the store first, so no other
 * node does it until it is due again; if the node dies half-way, the node with the next turn finds
 * the rest.
 *
 * <p>Between two batches it lets go of the thread: work that callers wait for goes first.
 */
public final class HousekeepingDuty implements Worker {

  private static final Logger log = LoggerFactory.getLogger(HousekeepingDuty.class);

  private final ThisNode node;
  private final EngineHousekeeping housekeeping;
  private final RepeatingTask repeat;
  private volatile boolean stopped;

  public HousekeepingDuty(ThisNode node, EngineHousekeeping housekeeping) {
    this.node = node;
    this.housekeeping = housekeeping;
    this.repeat = new RepeatingTask(node.scheduler(), node.settings().auditEvery(), this::look);
  }

  @Override
  public void start() {
    repeat.start();
  }

  @Override
  public void stop() {
    stopped = true;
    repeat.stop();
  }

  private void look() {
    try {
      if (node.store().closedWaits().takeTurn(housekeeping.retention().every())) {
        tidy();
      }
    } catch (StoreException e) {
      log.warn("Could not look for closed waits that are old; later again", e);
    }
  }

  private void tidy() {
    if (stopped) {
      return;
    }
    if (housekeeping.tidyOnce().fills(housekeeping.retention().batch())) {
      node.crash().at(Point.K1_BATCH_ARCHIVED);
      node.scheduler().execute(this::goOn);
    }
  }

  private void goOn() {
    try {
      tidy();
    } catch (StoreException e) {
      log.warn("Could not archive all closed waits that are old; the next turn goes on", e);
    }
  }
}
