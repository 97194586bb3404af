package dev.waymark.engine;

import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.CrashPoints.Point;
import dev.waymark.engine.store.Duties;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes ready visits: retries whose pause is over, and what joined, released or full nodes left.
 */
final class ReadyDuty implements DueWorker.Duty {

  private static final int PAGE = 500;

  private final Node node;

  ReadyDuty(Node node) {
    this.node = node;
  }

  @Override
  public boolean sweep(Runnable done) {
    if (node.isDraining() || node.settings().manual() || !node.bodies().hasRoom()) {
      return false;
    }
    UnreadableRows unreadable = node.unreadable();
    int most = PAGE + unreadable.aside(RowKind.READY_VISIT);
    List<Duties.Ready> ready =
        withOneSuspect(
            node.store().duties().ready(most, node.bodies().mostCrashes()).stream()
                .filter(one -> unreadable.admits(RowKind.READY_VISIT, one))
                .toList());
    node.crash().at(Point.P0_BEFORE_TAKE);
    if (ready.isEmpty()) {
      return false;
    }
    Page page = new Page(node.scheduler(), ready.size(), done);
    for (Duties.Ready one : ready) {
      Consumer<Stimulus.Outcome> counted = page.one();
      node.post(
          one.instance(),
          Stimulus.internal(
              take(one),
              outcome -> {
                unreadable.heard(RowKind.READY_VISIT, one, outcome);
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
      boolean suspected = node.bodies().isSuspect(one.crashes());
      if (!suspected || !suspect) {
        taken.add(one);
      }
      suspect |= suspected;
    }
    return taken;
  }

  private Command take(Duties.Ready ready) {
    return new Attempt.Take(node.metaHere("take:" + ready.visit()), ready.visit());
  }

  // A full or stepwise node would wake up for nothing: it looks again at its regular pace.
  @Override
  public @Nullable Instant next() {
    return node.settings().manual() || !node.bodies().hasRoom()
        ? null
        : node.store().duties().nextReady(node.bodies().mostCrashes());
  }
}
