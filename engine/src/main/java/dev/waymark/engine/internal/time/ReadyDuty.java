package dev.waymark.engine.internal.time;

import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.body.RunningBodies;
import dev.waymark.engine.internal.body.UnknownVisits;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Duties;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes ready visits: retries whose pause is over, and what joined, released or full nodes left.
 */
public final class ReadyDuty implements DueWorker.Duty {

  private static final int PAGE = 500;

  private final ThisNode node;
  private final RunningBodies bodies;
  private final EngineCommands commands;
  private final UnreadableRows unreadable;
  private final UnknownVisits unknown;
  private final UnderWay<Duties.Ready> underWay;

  public ReadyDuty(
      ThisNode node,
      RunningBodies bodies,
      EngineCommands commands,
      UnreadableRows unreadable,
      UnknownVisits unknown) {
    this.node = node;
    this.bodies = bodies;
    this.commands = commands;
    this.unreadable = unreadable;
    this.unknown = unknown;
    this.underWay = new UnderWay<>(node);
  }

  @Override
  public boolean sweep(CommandPage page) {
    if (node.isDraining() || node.settings().manual() || !bodies.hasRoom()) {
      return false;
    }
    int most = PAGE + underWay.count() + unreadable.aside(RowKind.READY_VISIT) + unknown.count();
    List<Duties.Ready> ready =
        withOneSuspect(
            node.store().duties().ready(most, bodies.mostCrashes()).stream()
                .filter(one -> unreadable.admits(RowKind.READY_VISIT, one))
                .filter(one -> unknown.admits(one.instance(), one.visit()))
                .toList());
    node.crash().at(Point.P0_BEFORE_TAKE);
    if (ready.isEmpty()) {
      return false;
    }
    Consumer<PendingCommand.Outcome> counted = page.outcomes(ready.size());
    for (Duties.Ready one : ready) {
      commands.post(
          one.instance(),
          PendingCommand.internal(
              take(one),
              outcome -> {
                unreadable.heard(RowKind.READY_VISIT, one, outcome);
                underWay.ended(one);
                counted.accept(outcome);
              }));
    }
    return true;
  }

  /** Of bodies that may have killed a node, one runs at a time: the others stay ready. */
  private List<Duties.Ready> withOneSuspect(List<Duties.Ready> ready) {
    List<Duties.Ready> taken = new ArrayList<>(ready.size());
    boolean suspect = false;
    for (Duties.Ready one : ready) {
      boolean suspected = bodies.isSuspect(one.crashes());
      if ((!suspected || !suspect) && taken.size() < PAGE && underWay.begins(one)) {
        taken.add(one);
      }
      suspect |= suspected;
    }
    return taken;
  }

  @Override
  public Duration patience() {
    return underWay.patience();
  }

  private Command take(Duties.Ready ready) {
    return new Attempt.Take(commands.metaHere("take:" + ready.visit()), ready.visit());
  }

  // A full or stepwise node would wake up for nothing: it looks again at its regular pace.
  @Override
  public @Nullable Instant next() {
    return node.settings().manual() || !bodies.hasRoom()
        ? null
        : node.store().duties().nextReady(bodies.mostCrashes());
  }
}
