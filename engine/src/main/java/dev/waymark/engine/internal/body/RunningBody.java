package dev.waymark.engine.internal.body;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** User code that runs here for one attempt at one visit. */
final class RunningBody implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(RunningBody.class);

  /** Below this a time-out gets a timer of its own; above it the regular look is exact enough. */
  private static final Duration PRECISE_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration CANCEL_EVERY = Duration.ofSeconds(1);

  private final ThisNode node;
  private final EngineCommands commands;
  private final BodyCalls calls;
  private final RunningBodies bodies;

  private final Instance instance;
  private final ActivityInstance visit;
  private final Definition definition;
  private final Duration timeout;
  private volatile Instant begun;

  /** Absent until the body begins. */
  private volatile @Nullable Instant deadline;

  private @Nullable Thread thread;
  private @Nullable BodyCall call;
  private Scheduler.Pending timer = () -> {};
  private @Nullable Command result;
  private boolean stopped;
  private boolean hangs;

  RunningBody(
      ThisNode node,
      EngineCommands commands,
      BodyCalls calls,
      RunningBodies bodies,
      Instance instance,
      ActivityInstance visit,
      Definition definition) {
    this.node = node;
    this.commands = commands;
    this.calls = calls;
    this.bodies = bodies;
    this.instance = instance;
    this.visit = visit;
    this.definition = definition;
    this.begun = node.now();
    this.timeout = definition.activity(visit.activity()).timeout();
  }

  /**
   * Lets the body run on this thread if it is quick. Transactions wait for the database, and are
   * never quick.
   */
  void begin(Scheduler scheduler) {
    ActivityRegistry.RegisteredActivity entry =
        calls.find(definition.activity(visit.activity()).type());
    if (entry == null || !entry.sharesThreads()) {
      scheduler.executeUserCode(this);
    } else {
      scheduler.executeUserCode(this, entry.pace());
    }
  }

  @Override
  public void run() {
    if (!bodies.isSuspect(visit.crashes()) || bodies.suspects().take(this)) {
      work();
    } else {
      giveBack();
    }
  }

  /**
   * Gives the visit back, because another suspect has the turn: it stays ready until the turn is
   * free.
   */
  private void giveBack() {
    if (mayEnd()) {
      Command.Meta meta = commands.meta("turn:" + visit.visit() + "/" + visit.attempt());
      result = new Attempt.Release(meta, visit.visit(), visit.attempt(), null);
    }
    node.scheduler().enter(this::leaveFor);
  }

  private void work() {
    synchronized (this) {
      if (stopped) {
        bodies.suspects().leave(this);
        return;
      }
      thread = Thread.currentThread();
      call = calls.of(instance, visit, definition, this::begins);
    }
    try {
      node.crash().at(Point.P1_TAKEN);
      calls.run(call, this::mayEnd, this::ended);
    } finally {
      returned();
      // An interrupt that came too late must not hit the next task of this thread.
      var unused = Thread.interrupted();
      node.scheduler().enter(this::leaveFor);
    }
  }

  /** The body's time begins. The time before, such as the wait for a connection, does not count. */
  private Instant begins() {
    begun = node.now();
    Instant until = begun.plus(timeout);
    deadline = until;
    if (timeout.compareTo(PRECISE_TIMEOUT) < 0) {
      synchronized (this) {
        timer.cancel();
        timer = node.scheduler().after(timeout, this::timeOut);
      }
    }
    return until;
  }

  private synchronized void returned() {
    timer.cancel();
    thread = null;
    call = null;
    if (hangs) {
      hangs = false;
      bodies.hangs(-1);
    }
  }

  /** True if this attempt still counts; after that only the caller may end it. */
  private synchronized boolean mayEnd() {
    boolean mine = !stopped;
    stopped = true;
    thread = null;
    return mine;
  }

  private void ended(Command command) {
    node.crash().at(Point.P11_BODY_ENDED);
    result = command;
  }

  /** Hands the result over and leaves, in this order: the mailbox is needed for one of them. */
  private void leaveFor() {
    Command command = result;
    try {
      if (command != null) {
        commands.post(instance.id(), PendingCommand.internal(command));
      }
    } finally {
      // Else the audit would believe for ever that the body runs.
      bodies.gone(this);
      bodies.suspects().leave(this);
    }
  }

  InstanceId instance() {
    return instance.id();
  }

  long visit() {
    return visit.visit();
  }

  int attempt() {
    return visit.attempt();
  }

  boolean hasBegunBefore(Instant moment) {
    return begun.isBefore(moment);
  }

  boolean isOverdue(Instant now) {
    Instant until = deadline;
    return until != null && !until.isAfter(now);
  }

  synchronized void stop() {
    stopped = true;
    if (thread != null) {
      thread.interrupt();
      if (!hangs) {
        hangs = true;
        bodies.hangs(1);
        node.scheduler().executeUserCode(this::cancel);
      }
    }
    bodies.suspects().leave(this);
  }

  /**
   * Ends the statement that the body executes on its connection, again and again until the body has
   * given the connection back.
   */
  private void cancel() {
    BodyCall running;
    synchronized (this) {
      running = hangs ? call : null;
    }
    if (running != null && running.cancel()) {
      node.scheduler().after(CANCEL_EVERY, () -> node.scheduler().executeUserCode(this::cancel));
    }
  }

  void timeOut() {
    synchronized (this) {
      if (stopped) {
        return;
      }
      stop();
    }
    log.warn(
        "Instance {}: '{}' (visit {}, attempt {}) did not end within {}: its thread is"
            + " interrupted, and what it still returns is thrown away",
        instance.id(),
        visit.activity(),
        visit.visit(),
        visit.attempt(),
        timeout);
    Fault fault =
        new Fault(
            Fault.Type.ACTIVITY,
            Fault.TIMEOUT,
            "'%s' did not end within %s".formatted(visit.activity(), timeout),
            true);
    Command.Meta meta = commands.meta("timeout:" + visit.visit() + "/" + visit.attempt());
    commands.post(
        instance.id(),
        PendingCommand.internal(
            new Attempt.Fail(meta, visit.visit(), visit.attempt(), fault, timeout)));
    bodies.gone(this);
  }
}
