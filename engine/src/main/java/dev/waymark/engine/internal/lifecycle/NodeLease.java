package dev.waymark.engine.internal.lifecycle;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.Settings;
import dev.waymark.engine.internal.body.RunningBodies;
import dev.waymark.engine.internal.node.DatabaseTime;
import dev.waymark.engine.internal.node.RepeatingTask;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Nodes;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease of this node, and declares nodes dead whose lease has lapsed; {@link Takeover}
 * takes over their work.
 *
 * <p>Only a node whose own renewals had no gap for one full lease may declare another dead: after a
 * pause of the database all leases have lapsed, but no node is dead. It asks for lapsed nodes only
 * when a lease that its last renewal has seen should be over: nodes that are well renew theirs
 * before.
 */
final class NodeLease implements Worker {

  private static final Logger log = LoggerFactory.getLogger(NodeLease.class);

  private final ThisNode node;
  private final RunningBodies bodies;
  private final Takeover takeover;
  private final IdSource ids;
  private final String name;
  private final DatabaseTime time;
  private final RepeatingTask renewing;
  private final RepeatingTask judging;
  private Instant firstRenewal = Instant.MAX;
  private Instant lastRenewal = Instant.MIN;
  private Instant nextLapse = Instant.MAX;
  private final Runnable afterDeaths;

  /**
   * @param time hears of every statement that tells the database's time, to follow it
   * @param afterDeaths run once a node was declared dead
   */
  NodeLease(
      ThisNode node,
      IdSource ids,
      String name,
      DatabaseTime time,
      RunningBodies bodies,
      Takeover takeover,
      Runnable afterDeaths) {
    this.node = node;
    this.ids = ids;
    this.name = name;
    this.time = time;
    this.bodies = bodies;
    this.takeover = takeover;
    this.afterDeaths = afterDeaths;
    Settings settings = node.settings();
    renewing = new RepeatingTask(node.scheduler(), settings.renewEvery(), this::renew);
    judging = new RepeatingTask(node.scheduler(), settings.pollEvery(), this::declareDeaths);
  }

  @Override
  public void start() {
    register();
    renewing.start();
    judging.start();
    node.scheduler().execute(takeover::recover);
  }

  @Override
  public void stop() {
    renewing.stop();
    judging.stop();
  }

  private void register() {
    Nodes nodes = node.store().nodes();
    Duration lease = node.settings().nodeLease();
    time.begin(() -> nodes.register(node.id(), name, lease), () -> nodes.renew(node.id(), lease));
    firstRenewal = node.now();
    lastRenewal = firstRenewal;
  }

  /** Also called when a commit says that this node is not alive. */
  synchronized void renew() {
    Nodes.Renewal renewal;
    try {
      renewal =
          time.follow(() -> node.store().nodes().renew(node.id(), node.settings().nodeLease()));
    } catch (StoreException e) {
      log.warn("Node {} could not renew its lease", node.id(), e);
      return;
    }
    if (!renewal.alive()) {
      beginAnew();
    }
    Instant now = node.now();
    if (now.isAfter(lastRenewal.plus(node.settings().renewEvery().multipliedBy(2)))) {
      firstRenewal = now;
    }
    lastRenewal = now;
    nextLapse = renewal.nextLapse() == null ? Instant.MAX : renewal.nextLapse();
    node.scheduler().execute(takeover::recover);
  }

  /**
   * True if this node has renewed without a gap for one full lease. A gap of two renewals already
   * counts: a pause of the database that long may have let others lapse who are well.
   */
  private boolean mayJudge() {
    Instant now = node.now();
    return now.isAfter(firstRenewal.plus(node.settings().nodeLease()))
        && now.isBefore(lastRenewal.plus(node.settings().renewEvery().multipliedBy(2)));
  }

  /**
   * This node was declared dead: its bodies belong to other nodes now, and it registers again as a
   * new node.
   */
  private void beginAnew() {
    log.warn("Node {} finds itself declared dead; it begins anew", node.id());
    node.becomes(new NodeId(ids.next()));
    bodies.stopAll();
    register();
  }

  private synchronized void declareDeaths() {
    // Once the first lease has lapsed, others may have by now: this node asks each time until its
    // next renewal.
    if (!mayJudge() || node.now().isBefore(nextLapse)) {
      return;
    }
    try {
      List<NodeId> dead = node.store().nodes().declareLapsedDead(node.id());
      if (!dead.isEmpty()) {
        log.info("Declared dead: {}", dead);
        node.scheduler().execute(takeover::recover);
        node.scheduler().execute(afterDeaths);
      }
    } catch (StoreException e) {
      log.warn("Could not declare lapsed nodes dead", e);
    }
  }
}
