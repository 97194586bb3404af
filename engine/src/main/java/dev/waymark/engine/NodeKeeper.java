package dev.waymark.engine;

import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.store.Duties.Running;
import dev.waymark.engine.store.Nodes;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this node alive in the eyes of the others, declares the dead, and takes over what they ran.
 *
 * <p>Only a node whose own renewals had no gap for one full lease may declare another dead: after a
 * pause of the database everybody has lapsed, and nobody is dead.
 */
final class NodeKeeper {

  private static final Logger log = LoggerFactory.getLogger(NodeKeeper.class);
  private static final int PAGE = 500;
  private static final int MAX_BELIEVED = 100_000;

  private final Node node;
  private final IdSource ids;
  private final String name;
  private final UnaryOperator<Supplier<Nodes.Renewal>> clock;
  private final Repeat renewing;
  private final Repeat judging;
  private final Repeat watching;
  private final Repeat auditing;
  private Instant firstRenewal = Instant.MAX;
  private Instant lastRenewal = Instant.MIN;
  private boolean recovering;
  private Runnable afterDeaths = () -> {};

  /**
   * @param clock wraps every statement that tells the database's time, to follow it
   */
  NodeKeeper(Node node, IdSource ids, String name, UnaryOperator<Supplier<Nodes.Renewal>> clock) {
    this.node = node;
    this.ids = ids;
    this.name = name;
    this.clock = clock;
    Settings settings = node.settings();
    renewing = new Repeat(node.scheduler(), settings.renewEvery(), this::renew);
    judging = new Repeat(node.scheduler(), settings.pollEvery(), this::declareDeaths);
    watching = new Repeat(node.scheduler(), settings.watchEvery(), this::watch);
    auditing = new Repeat(node.scheduler(), settings.auditEvery(), this::audit);
    node.onNodeLost(this::renew);
    node.onAudit(this::audit);
  }

  /** What else to look after once a node was declared dead. */
  void afterDeaths(Runnable task) {
    afterDeaths = task;
  }

  void start() {
    register();
    renewing.start();
    judging.start();
    watching.start();
    auditing.start();
    node.scheduler().execute(this::recover);
  }

  void stop() {
    renewing.stop();
    judging.stop();
    watching.stop();
    auditing.stop();
  }

  private void register() {
    var unused =
        clock
            .apply(
                () -> node.store().nodes().register(node.id(), name, node.settings().nodeLease()))
            .get();
    firstRenewal = node.now();
    lastRenewal = firstRenewal;
  }

  private synchronized void renew() {
    Nodes.Renewal renewal;
    try {
      renewal =
          clock
              .apply(() -> node.store().nodes().renew(node.id(), node.settings().nodeLease()))
              .get();
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
    node.scheduler().execute(this::recover);
  }

  /**
   * Whether this node has renewed without a gap for one full lease. A gap of two renewals already
   * counts: a pause of the database that long may have let others lapse who are well.
   */
  private boolean mayJudge() {
    Instant now = node.now();
    return now.isAfter(firstRenewal.plus(node.settings().nodeLease()))
        && now.isBefore(lastRenewal.plus(node.settings().renewEvery().multipliedBy(2)));
  }

  /** This node was declared dead: what it ran is others' now, and it comes back as another. */
  private void beginAnew() {
    log.warn("Node {} finds itself declared dead; it begins anew", node.id());
    node.becomes(new NodeId(ids.next()));
    node.bodies().stopAll();
    register();
  }

  private synchronized void declareDeaths() {
    if (!mayJudge()) {
      return;
    }
    try {
      List<NodeId> dead = node.store().nodes().declareLapsedDead(node.id());
      if (!dead.isEmpty()) {
        log.info("Declared dead: {}", dead);
        node.scheduler().execute(this::recover);
        node.scheduler().execute(afterDeaths);
      }
    } catch (StoreException e) {
      log.warn("Could not declare lapsed nodes dead", e);
    }
  }

  // ---- takeover

  void recover() {
    synchronized (this) {
      if (recovering || node.isDraining()) {
        return;
      }
      recovering = true;
    }
    recoverPage();
  }

  private void recoverPage() {
    List<Running> stranded;
    try {
      UnreadableRows unreadable = node.unreadable();
      stranded =
          node.store().duties().stranded(PAGE + unreadable.aside(RowKind.RUNNING_VISIT)).stream()
              .filter(one -> unreadable.admits(RowKind.RUNNING_VISIT, one))
              .toList();
      node.crash().at(Point.R1_STRANDED_FOUND);
    } catch (RuntimeException | Error e) {
      log.warn("Could not look for stranded work", e);
      stranded = List.of();
    }
    if (stranded.isEmpty()) {
      synchronized (this) {
        recovering = false;
      }
      return;
    }
    log.info("Taking over {} visits of nodes that are gone", stranded.size());
    Page page =
        new Page(
            node.scheduler(), stranded.size(), () -> node.scheduler().execute(this::recoverPage));
    for (int i = 0; i < stranded.size(); i++) {
      if (i == stranded.size() / 2) {
        node.crash().at(Point.R2_HALF_RECOVERED);
      }
      takeOver(stranded.get(i), true, page.one());
    }
  }

  private void takeOver(Running one, boolean crashed, Consumer<Stimulus.Outcome> listener) {
    Command.Meta meta = node.metaHere("recover:" + one.visit() + "/" + one.attempt());
    node.post(
        one.instance(),
        Stimulus.internal(
            new Attempt.Recover(meta, one.visit(), one.attempt(), crashed),
            outcome -> {
              node.unreadable().heard(RowKind.RUNNING_VISIT, one, outcome);
              listener.accept(outcome);
            }));
  }

  // ---- on a living node

  /** Stops bodies whose attempt is no longer theirs, and those whose time is up. */
  private void watch() {
    node.bodies().endOverdue();
    List<Running> old = node.bodies().longerThan(node.settings().watchEvery());
    if (old.isEmpty()) {
      return;
    }
    try {
      for (Running gone : node.store().duties().superseded(old)) {
        log.debug("Instance {}: visit {} is no longer ours", gone.instance(), gone.visit());
        node.bodies().superseded(gone.instance(), gone.visit(), gone.attempt());
      }
    } catch (StoreException e) {
      log.warn("Could not look whether {} bodies are still ours", old.size(), e);
    }
  }

  /** Takes over what the store believes this node to run, and it does not. */
  private void audit() {
    List<Running> believed;
    try {
      believed = node.store().duties().runningOn(node.id(), MAX_BELIEVED);
    } catch (StoreException e) {
      log.warn("Could not list what this node is believed to run", e);
      return;
    }
    List<Running> missing = believed.stream().filter(r -> !node.bodies().runs(r)).toList();
    if (missing.isEmpty()) {
      return;
    }
    // A step may have committed a moment ago whose bodies are about to be entered. Only what is
    // still missing after a while is stranded.
    node.scheduler().after(Duration.ofSeconds(1), () -> takeOverMissing(missing));
  }

  private void takeOverMissing(List<Running> missing) {
    for (Running one : missing) {
      if (!node.bodies().runs(one)) {
        takeOver(one, false, outcome -> {});
      }
    }
  }
}
