package dev.waymark.engine.internal.lifecycle;

import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.body.RunningBodies;
import dev.waymark.engine.internal.node.RepeatingTask;
import dev.waymark.engine.internal.node.RunAgain;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Duties.Running;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every running visit has a node that runs it: takes over visits of dead nodes and
 * visits that name this node in the store and do not run here, and stops bodies that are no longer
 * its own.
 */
final class Takeover implements Worker {

  private static final Logger log = LoggerFactory.getLogger(Takeover.class);
  private static final int PAGE = 500;
  private static final int MAX_BELIEVED = 100_000;

  private final ThisNode node;
  private final RunningBodies bodies;
  private final EngineCommands commands;
  private final UnreadableRows unreadable;
  private final RepeatingTask watching;
  private final RepeatingTask auditing;
  private final RunAgain recovering;

  Takeover(
      ThisNode node, RunningBodies bodies, EngineCommands commands, UnreadableRows unreadable) {
    this.node = node;
    this.bodies = bodies;
    this.commands = commands;
    this.unreadable = unreadable;
    recovering = new RunAgain(node.scheduler(), this::recoverPage);
    watching = new RepeatingTask(node.scheduler(), node.settings().watchEvery(), this::watch);
    auditing = new RepeatingTask(node.scheduler(), node.settings().auditEvery(), this::audit);
  }

  @Override
  public void start() {
    watching.start();
    auditing.start();
  }

  @Override
  public void stop() {
    watching.stop();
    auditing.stop();
  }

  /** Takes over, page by page, the visits that nodes ran which are no longer alive. */
  void recover() {
    if (!node.isDraining() && recovering.begin()) {
      recovering.run();
    }
  }

  private void recoverPage() {
    List<Running> stranded;
    try {
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
      if (recovering.ended()) {
        recovering.runSoon();
      }
      return;
    }
    log.info("Taking over {} visits of nodes that are gone", stranded.size());
    CommandPage page = new CommandPage(node.scheduler(), recovering::run);
    Consumer<PendingCommand.Outcome> counted = page.outcomes(stranded.size());
    for (int i = 0; i < stranded.size(); i++) {
      if (i == stranded.size() / 2) {
        node.crash().at(Point.R2_HALF_RECOVERED);
      }
      takeOver(stranded.get(i), true, counted);
    }
  }

  private void takeOver(Running one, boolean crashed, Consumer<PendingCommand.Outcome> listener) {
    Command.Meta meta = commands.metaHere("recover:" + one.visit() + "/" + one.attempt());
    commands.post(
        one.instance(),
        PendingCommand.internal(
            new Attempt.Recover(meta, one.visit(), one.attempt(), crashed),
            outcome -> {
              unreadable.heard(RowKind.RUNNING_VISIT, one, outcome);
              listener.accept(outcome);
            }));
  }

  // ---- on a living node

  /** Stops bodies whose attempt is no longer theirs, and those whose time is up. */
  private void watch() {
    bodies.endOverdue();
    List<Running> old = bodies.longerThan(node.settings().watchEvery());
    if (old.isEmpty()) {
      return;
    }
    try {
      for (Running gone : node.store().duties().superseded(old)) {
        log.debug("Instance {}: visit {} is no longer ours", gone.instance(), gone.visit());
        bodies.superseded(gone.instance(), gone.visit(), gone.attempt());
      }
    } catch (StoreException e) {
      log.warn("Could not look whether {} bodies are still ours", old.size(), e);
    }
  }

  /** Takes over visits that name this node in the store and do not run here. */
  void audit() {
    List<Running> believed;
    try {
      believed = node.store().duties().runningOn(node.id(), MAX_BELIEVED);
    } catch (StoreException e) {
      log.warn("Could not list what this node is believed to run", e);
      return;
    }
    List<Running> missing = believed.stream().filter(r -> !bodies.runs(r)).toList();
    if (missing.isEmpty()) {
      return;
    }
    // A step may have committed a moment ago whose bodies are about to be entered. Only a visit
    // that is still missing after a while is stranded.
    node.scheduler().after(Duration.ofSeconds(1), () -> takeOverMissing(missing));
  }

  private void takeOverMissing(List<Running> missing) {
    for (Running one : missing) {
      if (!bodies.runs(one)) {
        takeOver(one, false, outcome -> {});
      }
    }
  }
}
