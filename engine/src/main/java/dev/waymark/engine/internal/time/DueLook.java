package dev.waymark.engine.internal.time;

import dev.waymark.engine.internal.body.RunningBodies;
import dev.waymark.engine.internal.node.RepeatingTask;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.internal.outbox.OutboxWorker;
import dev.waymark.engine.store.Duties.NextWork;
import dev.waymark.engine.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for work of which this node was not told, because another node has made it: timers, ready
 * visits, waits that are out of time, schedules and events. One question finds out about all of it
 * and the workers are told; each of them asks more only if there is something for it to do.
 *
 * <p>Nothing depends on a single look: the next one finds what it would have found.
 */
public final class DueLook implements Worker {

  private static final Logger log = LoggerFactory.getLogger(DueLook.class);

  private final ThisNode node;
  private final RunningBodies bodies;
  private final DueWorkers workers;
  private final OutboxWorker outbox;
  private final RepeatingTask looking;

  /** The workers that are told when their next row is due. */
  public record DueWorkers(
      DueWorker timers, DueWorker ready, DueWorker expiry, DueWorker schedules) {}

  public DueLook(ThisNode node, RunningBodies bodies, DueWorkers workers, OutboxWorker outbox) {
    this.node = node;
    this.bodies = bodies;
    this.workers = workers;
    this.outbox = outbox;
    this.looking = new RepeatingTask(node.scheduler(), node.settings().pollEvery(), this::look);
  }

  @Override
  public void start() {
    looking.start();
  }

  @Override
  public void stop() {
    looking.stop();
  }

  private void look() {
    NextWork next;
    try {
      next = node.store().duties().nextWork(bodies.mostCrashes(), outbox.lanes(), outbox.sinks());
    } catch (StoreException e) {
      log.warn("Could not look for work of other nodes; trying again", e);
      return;
    }
    workers.timers().next(next.timer());
    workers.ready().next(next.ready());
    workers.expiry().next(next.outOfTime());
    workers.schedules().next(next.schedule());
    if (next.events()) {
      outbox.wake();
    }
  }
}
