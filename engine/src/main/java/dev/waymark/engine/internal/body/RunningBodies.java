package dev.waymark.engine.internal.body;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.Settings;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Duties.Running;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user code that runs in this process, one entry for each attempt.
 *
 * <p>A body whose attempt is no longer current is interrupted, and whatever it still returns is
 * thrown away. Bodies that were part of several crashes run one at a time, so that the killer is
 * found and not its neighbours ({@link Settings#suspectAfter}). The others stay ready meanwhile: a
 * body that has not begun must not be charged with the next crash.
 */
public final class RunningBodies {

  private static final Logger log = LoggerFactory.getLogger(RunningBodies.class);

  /** Below this a time-out gets a timer of its own; above it the regular look is exact enough. */
  private static final Duration PRECISE_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration CANCEL_EVERY = Duration.ofSeconds(1);

  private final ThisNode node;
  private final EngineCommands commands;
  private final DeployedDefinitions definitions;
  private final Mailboxes mailboxes;
  private final BodyCalls calls;
  private final Runnable turnFree;
  private final ConcurrentMap<InstanceId, Map<Long, RunningBody>> running =
      new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicReference<@Nullable RunningBody> suspect = new AtomicReference<>();
  private volatile @Nullable CompletableFuture<Boolean> emptied;

  /**
   * @param turnFree run when a body that saw several crashes has left: the next of them may be
   *     taken
   */
  public RunningBodies(
      ThisNode node,
      EngineCommands commands,
      DeployedDefinitions definitions,
      Mailboxes mailboxes,
      BodyCalls calls,
      Runnable turnFree) {
    this.node = node;
    this.commands = commands;
    this.definitions = definitions;
    this.mailboxes = mailboxes;
    this.calls = calls;
    this.turnFree = turnFree;
  }

  public boolean hasRoom() {
    return count.get() < node.settings().maxBodies();
  }

  boolean runsAny(InstanceId instance) {
    return running.containsKey(instance);
  }

  public int size() {
    return count.get();
  }

  /** The number of threads that still run bodies which were stopped. */
  public int hanging() {
    return hanging.get();
  }

  /** Enters an attempt that this node may run; absent if it is entered already. */
  @Nullable RunningBody enter(Instance instance, ActivityInstance visit) {
    Definition definition = definitions.byId(instance.origin().definition());
    RunningBody body = new RunningBody(instance, visit, definition);
    boolean[] entered = {false};
    running.compute(
        instance.id(),
        (id, bodies) -> {
          Map<Long, RunningBody> mine = bodies == null ? new ConcurrentHashMap<>() : bodies;
          RunningBody other = mine.get(visit.visit());
          if (other == null || other.visit.attempt() < visit.attempt()) {
            mine.put(visit.visit(), body);
            entered[0] = true;
            if (other != null) {
              other.stop();
            } else {
              count.incrementAndGet();
            }
          }
          return mine;
        });
    return entered[0] ? body : null;
  }

  private void leave(RunningBody body) {
    boolean[] left = {false};
    running.computeIfPresent(
        body.instance.id(),
        (id, bodies) -> {
          left[0] = bodies.remove(body.visit.visit(), body);
          return bodies.isEmpty() ? null : bodies;
        });
    if (left[0] && count.decrementAndGet() == 0) {
      CompletableFuture<Boolean> waiting = emptied;
      if (waiting != null) {
        waiting.complete(true);
      }
    }
  }

  /** The visit has ended or moved on; a body of it that runs here is stopped. */
  public void superseded(InstanceId instance, long visit, @Nullable Integer attempt) {
    Map<Long, RunningBody> bodies = running.get(instance);
    RunningBody body = bodies == null ? null : bodies.get(visit);
    if (body != null && (attempt == null || body.visit.attempt() == attempt)) {
      body.stop();
      leave(body);
      mailboxes.bodyGone(instance);
    }
  }

  /** Everything that runs here, as this node believes. */
  List<Running> list() {
    NodeId me = node.id();
    List<Running> all = new ArrayList<>();
    running.forEach(
        (instance, bodies) ->
            bodies
                .values()
                .forEach(
                    b -> all.add(new Running(instance, b.visit.visit(), b.visit.attempt(), me))));
    return all;
  }

  public boolean runs(Running one) {
    Map<Long, RunningBody> bodies = running.get(one.instance());
    RunningBody body = bodies == null ? null : bodies.get(one.visit());
    return body != null && body.visit.attempt() == one.attempt();
  }

  /** Bodies that have run for longer than so; shorter ones are not worth a look. */
  public List<Running> longerThan(Duration age) {
    Instant before = node.now().minus(age);
    return list().stream()
        .filter(
            r -> {
              Map<Long, RunningBody> bodies = running.get(r.instance());
              RunningBody body = bodies == null ? null : bodies.get(r.visit());
              return body != null && body.begun.isBefore(before);
            })
        .toList();
  }

  /** Fails the attempts whose time is up. */
  public void endOverdue() {
    Instant now = node.now();
    for (Map<Long, RunningBody> bodies : running.values()) {
      for (RunningBody body : bodies.values()) {
        Instant deadline = body.deadline;
        if (deadline != null && !deadline.isAfter(now)) {
          body.timeOut();
        }
      }
    }
  }

  /** Stops everything: this node has lost the right to run any of it. */
  public void stopAll() {
    for (Running one : list()) {
      superseded(one.instance(), one.visit(), one.attempt());
    }
  }

  /** Stops everything that runs here and leaves it ready; completes when that is committed. */
  public CompletableFuture<Boolean> giveBack() {
    List<Running> unfinished = list();
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    CommandPage page = new CommandPage(node.scheduler(), () -> released.complete(true));
    Consumer<PendingCommand.Outcome> counted = page.outcomes(unfinished.size());
    for (Running one : unfinished) {
      superseded(one.instance(), one.visit(), one.attempt());
      Command.Meta meta = commands.metaHere("release:" + one.visit() + "/" + one.attempt());
      commands.post(
          one.instance(),
          PendingCommand.internal(
              new Attempt.Release(meta, one.visit(), one.attempt(), null), counted));
    }
    if (unfinished.isEmpty()) {
      released.complete(true);
    }
    return released;
  }

  /** Completes when nothing runs any more. */
  public CompletableFuture<Boolean> whenEmpty() {
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    emptied = future;
    if (count.get() == 0) {
      future.complete(true);
    }
    return future;
  }

  /** True if a body that saw so many crashes runs only alone. */
  public boolean isSuspect(int crashes) {
    return crashes >= node.settings().suspectAfter();
  }

  /** The highest number of crashes that a visit may have seen if it is to be taken now. */
  public int mostCrashes() {
    return suspect.get() == null ? Integer.MAX_VALUE : node.settings().suspectAfter() - 1;
  }

  /** One attempt at one visit. */
  final class RunningBody implements Runnable {

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

    RunningBody(Instance instance, ActivityInstance visit, Definition definition) {
      this.instance = instance;
      this.visit = visit;
      this.definition = definition;
      this.begun = node.now();
      this.timeout = definition.activity(visit.activity()).timeout();
    }

    /**
     * Lets it run where its pace allows. Transactions wait for the database, and are never quick.
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
      if (!isSuspect(visit.crashes()) || suspect.compareAndSet(null, this)) {
        work();
      } else {
        giveBack();
      }
    }

    /** It is not this body's turn: it stays ready until the turn is free. */
    private void giveBack() {
      if (mayEnd()) {
        Command.Meta meta = commands.meta("turn:" + visit.visit() + "/" + visit.attempt());
        result = new Attempt.Release(meta, visit.visit(), visit.attempt(), null);
      }
      node.scheduler().enter(this::leaveFor);
    }

    /** Ends its turn. Also when it is stopped: a thread that hangs must not keep others waiting. */
    private void endTurn() {
      if (suspect.compareAndSet(this, null)) {
        node.scheduler().execute(turnFree);
      }
    }

    private void work() {
      synchronized (this) {
        if (stopped) {
          endTurn();
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
        // An interrupt that came too late must not hit whatever this thread does next.
        var unused = Thread.interrupted();
        node.scheduler().enter(this::leaveFor);
      }
    }

    /** Its time begins: what it waits for before, such as a connection, is not its own fault. */
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
        hanging.decrementAndGet();
      }
    }

    /** True if this attempt still counts; from a true on, only the caller ends it. */
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
        // Else the audit would believe for ever that it runs.
        leave(this);
        mailboxes.bodyGone(instance.id());
        endTurn();
      }
    }

    synchronized void stop() {
      stopped = true;
      if (thread != null) {
        thread.interrupt();
        if (!hangs) {
          hangs = true;
          hanging.incrementAndGet();
          node.scheduler().executeUserCode(this::cancel);
        }
      }
      endTurn();
    }

    /** Ends what it executes on a connection, again and again until it has given that back. */
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
      leave(this);
      mailboxes.bodyGone(instance.id());
    }
  }
}
