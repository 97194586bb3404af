package dev.waymark.engine.internal.body;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.AfterCommitPort;
import dev.waymark.engine.internal.step.CommitListener;
import dev.waymark.engine.internal.step.JoinedWrites;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consequences of a commit in this process: bodies start or are stopped, and the {@link
 * CommitListener}s are told. All of it is an optimisation of what sweeps would find anyway, so a
 * crash here loses nothing.
 */
public final class AfterCommit implements AfterCommitPort {

  private final ThisNode node;
  private final RunningBodies bodies;
  private final List<CommitListener> listeners;

  public AfterCommit(ThisNode node, RunningBodies bodies, List<CommitListener> listeners) {
    this.node = node;
    this.bodies = bodies;
    this.listeners = List.copyOf(listeners);
  }

  /** A commit's outcome is unknown: the listeners look for steps that it may have written. */
  public void missed() {
    node.scheduler().execute(() -> listeners.forEach(CommitListener::missed));
  }

  /** Hears of writes in a caller's transaction; only the caller knows when it commits. */
  public JoinedWrites joined() {
    return new JoinedWrites() {
      @Override
      public void unit(Unit unit) {
        listeners.forEach(listener -> listener.joined(unit));
      }

      @Override
      public void message(Message message) {
        listeners.forEach(listener -> listener.joined(message));
      }
    };
  }

  /**
   * Hears of the steps and messages that a caller's transaction has committed, and tells the
   * listeners.
   */
  public JoinedWrites committed() {
    return new JoinedWrites() {
      @Override
      public void unit(Unit unit) {
        tell(unit);
      }

      @Override
      public void message(Message message) {
        listeners.forEach(listener -> listener.stored(message));
      }
    };
  }

  @Override
  public boolean keepsBusy(InstanceId instance) {
    return bodies.runsAny(instance);
  }

  @Override
  public boolean hasRoom() {
    return bodies.hasRoom();
  }

  @Override
  public FollowUpWork begin(Unit unit) {
    List<RunningBody> entered = new ArrayList<>();
    for (Step step : unit.steps()) {
      step.ended().forEach(visit -> bodies.superseded(unit.instance(), visit, null));
      step.changed().forEach(visit -> stopIfNotRunning(unit.after(), visit));
      step.started().forEach(visit -> enter(unit.after(), visit, entered));
    }
    return () -> {
      tell(unit);
      begin(entered);
    };
  }

  private void stopIfNotRunning(Instance after, ActivityInstance changed) {
    ActivityInstance visit = after.activity(changed.visit());
    if (visit != null && visit.state() != State.RUNNING) {
      bodies.superseded(after.id(), visit.visit(), null);
    }
  }

  private void enter(Instance after, ActivityInstance started, List<RunningBody> into) {
    ActivityInstance visit = after.activity(started.visit());
    if (visit == null
        || visit.attempt() != started.attempt()
        || visit.state() != State.RUNNING
        || !node.id().equals(visit.node())) {
      return;
    }
    @Nullable RunningBody body = bodies.enter(after, visit);
    if (body != null) {
      into.add(body);
    }
  }

  private void tell(Unit unit) {
    for (Step step : unit.steps()) {
      step.created().forEach(this::opened);
      step.amended().forEach(amend -> opened(amend.after()));
    }
    listeners.forEach(listener -> listener.committed(unit));
  }

  private void opened(Bookmark wait) {
    if (wait.isOpen()) {
      listeners.forEach(listener -> listener.opened(wait));
    }
  }

  /** The last of them may run on this very thread, if it is quick. */
  private void begin(List<RunningBody> entered) {
    int last = entered.size() - 1;
    for (int i = 0; i < last; i++) {
      node.scheduler().executeUserCode(entered.get(i));
    }
    if (last >= 0) {
      entered.get(last).begin(node.scheduler());
    }
  }
}
