package dev.waymark.engine;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a commit in this process: bodies start or are stopped, workers are woken,
 * messages are handed over. All of it is an optimisation of what sweeps would find anyway, so a
 * crash here loses nothing.
 */
final class Aftermath {

  private final Node node;
  private final List<Consumer<Unit>> watchers = new CopyOnWriteArrayList<>();
  private final List<Consumer<Bookmark>> waitWatchers = new CopyOnWriteArrayList<>();
  private volatile Consumer<Instant> readyAt = due -> {};
  private volatile Consumer<Instant> timerAt = due -> {};
  private volatile Consumer<Instance> awaitsMessage = instance -> {};
  private volatile Consumer<Instance> correlates = instance -> {};
  private volatile Consumer<Instance> childStarted = instance -> {};
  private volatile Consumer<Message> messageSent = message -> {};
  private volatile Consumer<Unit> joined = unit -> {};
  private volatile Consumer<Message> messageJoined = message -> {};
  private volatile Consumer<Message> messageStored = message -> {};
  private volatile Runnable missed = () -> {};
  private volatile Runnable eventsWritten = () -> {};

  Aftermath(Node node) {
    this.node = node;
  }

  void onReady(Consumer<Instant> worker) {
    readyAt = worker;
  }

  void onTimer(Consumer<Instant> worker) {
    timerAt = worker;
  }

  /** Tells of every wait that this process opens or changes. */
  void onWait(Consumer<Bookmark> worker) {
    waitWatchers.add(worker);
  }

  void forgetWait(Consumer<Bookmark> worker) {
    waitWatchers.remove(worker);
  }

  void onAwaitsMessage(Consumer<Instance> worker) {
    awaitsMessage = worker;
  }

  void onCorrelates(Consumer<Instance> worker) {
    correlates = worker;
  }

  void onChildStarted(Consumer<Instance> worker) {
    childStarted = worker;
  }

  void onMessageSent(Consumer<Message> worker) {
    messageSent = worker;
  }

  void onJoined(Consumer<Unit> worker) {
    joined = worker;
  }

  void onMessageJoined(Consumer<Message> worker) {
    messageJoined = worker;
  }

  void onMessageStored(Consumer<Message> worker) {
    messageStored = worker;
  }

  void onMissed(Runnable worker) {
    missed = worker;
  }

  void onEventsWritten(Runnable worker) {
    eventsWritten = worker;
  }

  /** Tells of every unit that this process commits; for whoever waits for an instance's end. */
  void watch(Consumer<Unit> watcher) {
    watchers.add(watcher);
  }

  /** A step may have committed of which this process will never hear. */
  void missed() {
    node.scheduler().execute(missed);
  }

  /** A visit that stayed ready may be taken now. */
  void mayTake() {
    readyAt.accept(node.now());
  }

  /** Hears of writes in a caller's transaction; only the caller knows when it commits. */
  Joined.Written joined() {
    return new Joined.Written() {
      @Override
      public void unit(Unit unit) {
        joined.accept(unit);
      }

      @Override
      public void message(Message message) {
        messageJoined.accept(message);
      }
    };
  }

  /** Hears of what a caller's transaction has committed, and wakes the workers for it. */
  Joined.Written committed() {
    return new Joined.Written() {
      @Override
      public void unit(Unit unit) {
        wake(unit);
      }

      @Override
      public void message(Message message) {
        messageStored.accept(message);
      }
    };
  }

  private void wake(Unit unit) {
    unit.steps().forEach(this::wakeWorkers);
    eventsWritten.run();
    watchers.forEach(watcher -> watcher.accept(unit));
  }

  /** What is left to do once the mailbox is out of the way. */
  interface Work {
    void run();
  }

  void of(Unit unit) {
    begin(unit).run();
  }

  /**
   * Enters the bodies that the unit lets start, so that the mailbox knows it is still needed, and
   * gives back the rest of the work.
   */
  Work begin(Unit unit) {
    List<Bodies.Body> bodies = new ArrayList<>();
    for (Step step : unit.steps()) {
      step.ended().forEach(visit -> node.bodies().superseded(unit.instance(), visit, null));
      step.changed().forEach(visit -> stopIfNotRunning(unit.after(), visit));
      step.started().forEach(visit -> enter(unit.after(), visit, bodies));
    }
    return () -> finish(unit, bodies);
  }

  private void stopIfNotRunning(Instance after, ActivityInstance changed) {
    ActivityInstance visit = after.activity(changed.visit());
    if (visit != null && visit.state() != State.RUNNING) {
      node.bodies().superseded(after.id(), visit.visit(), null);
    }
  }

  private void enter(Instance after, ActivityInstance started, List<Bodies.Body> into) {
    ActivityInstance visit = after.activity(started.visit());
    if (visit == null
        || visit.attempt() != started.attempt()
        || visit.state() != State.RUNNING
        || !node.id().equals(visit.node())) {
      return;
    }
    Bodies.@Nullable Body body = node.bodies().enter(after, visit);
    if (body != null) {
      into.add(body);
    }
  }

  private void finish(Unit unit, List<Bodies.Body> bodies) {
    for (Step step : unit.steps()) {
      wakeWorkers(step);
    }
    eventsWritten.run();
    watchers.forEach(watcher -> watcher.accept(unit));
    begin(bodies);
  }

  /** The last of them may run on this very thread, if it is quick. */
  private void begin(List<Bodies.Body> bodies) {
    int last = bodies.size() - 1;
    for (int i = 0; i < last; i++) {
      node.scheduler().executeUserCode(bodies.get(i));
    }
    if (last >= 0) {
      bodies.get(last).begin(node.scheduler());
    }
  }

  private void wakeWorkers(Step step) {
    step.begun().forEach(this::wakeReady);
    step.changed().forEach(this::wakeReady);
    step.created().forEach(this::opened);
    step.amended().forEach(amend -> opened(amend.after()));
    for (Bookmark bookmark : step.created()) {
      if (bookmark.due() != null && bookmark.kind() == BookmarkKind.TIMER) {
        timerAt.accept(bookmark.due());
      } else if (bookmark.kind() == BookmarkKind.EXTERNAL_MESSAGE
          // The child that it waits for is asked for in the same step: it cannot have ended yet.
          && !Message.isEnded(bookmark.key())) {
        awaitsMessage.accept(step.after());
        if (bookmark.terms().correlation() != null) {
          correlates.accept(step.after());
        }
      }
    }
    for (Step.Amend change : step.amended()) {
      if (change.after().due() != null && change.after().kind() == BookmarkKind.TIMER) {
        timerAt.accept(change.after().due());
      }
    }
    if (step.command() instanceof Command.Continue) {
      awaitsMessage.accept(step.after());
      correlates.accept(step.after());
    } else if (step.command() instanceof Command.Start start
        && start.request() != null
        && start.request().parent() != null) {
      childStarted.accept(step.after());
    }
    step.sent().forEach(messageSent);
  }

  private void opened(Bookmark bookmark) {
    if (bookmark.isOpen()) {
      waitWatchers.forEach(watcher -> watcher.accept(bookmark));
    }
  }

  private void wakeReady(ActivityInstance visit) {
    if (visit.state() == State.READY && visit.due() != null) {
      readyAt.accept(visit.due());
    }
  }
}
