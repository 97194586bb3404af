package dev.waymark.engine.internal.body;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The user code that runs in this process, one entry for each attempt.
 *
 * <p>A body whose attempt is no longer current is interrupted, and whatever it still returns is
 * thrown away. Bodies that were part of several crashes run one at a time, so that the killer is
 * found and not its neighbours ({@link Settings#suspectAfter}). The others stay ready meanwhile: a
 * body that has not begun must not be charged with the next crash.
 */
public final class RunningBodies {

  private final ThisNode node;
  private final EngineCommands commands;
  private final DeployedDefinitions definitions;
  private final Mailboxes mailboxes;
  private final BodyCalls calls;
  private final SuspectTurn suspects;
  private final ConcurrentMap<InstanceId, Map<Long, RunningBody>> running =
      new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger hanging = new AtomicInteger();
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
    this.suspects = new SuspectTurn(node.scheduler(), turnFree);
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
    RunningBody body = new RunningBody(node, commands, calls, this, instance, visit, definition);
    boolean[] entered = {false};
    running.compute(
        instance.id(),
        (id, bodies) -> {
          Map<Long, RunningBody> mine = bodies == null ? new ConcurrentHashMap<>() : bodies;
          RunningBody other = mine.get(visit.visit());
          if (other == null || other.attempt() < visit.attempt()) {
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
        body.instance(),
        (id, bodies) -> {
          left[0] = bodies.remove(body.visit(), body);
          return bodies.isEmpty() ? null : bodies;
        });
    if (left[0] && count.decrementAndGet() == 0) {
      CompletableFuture<Boolean> waiting = emptied;
      if (waiting != null) {
        waiting.complete(true);
      }
    }
  }

  /** Removes a body that no longer runs here; its mailbox may be given up. */
  void gone(RunningBody body) {
    leave(body);
    mailboxes.bodyGone(body.instance());
  }

  /** Counts a stopped body whose thread goes on, or no longer does. */
  void hangs(int change) {
    hanging.addAndGet(change);
  }

  SuspectTurn suspects() {
    return suspects;
  }

  /** Stops a body that runs here, because its visit has ended or moved on. */
  public void superseded(InstanceId instance, long visit, @Nullable Integer attempt) {
    Map<Long, RunningBody> bodies = running.get(instance);
    RunningBody body = bodies == null ? null : bodies.get(visit);
    if (body != null && (attempt == null || body.attempt() == attempt)) {
      body.stop();
      gone(body);
    }
  }

  /** All attempts that run here. */
  List<Running> list() {
    NodeId me = node.id();
    List<Running> all = new ArrayList<>();
    running.forEach(
        (instance, bodies) ->
            bodies
                .values()
                .forEach(b -> all.add(new Running(instance, b.visit(), b.attempt(), me))));
    return all;
  }

  public boolean runs(Running one) {
    Map<Long, RunningBody> bodies = running.get(one.instance());
    RunningBody body = bodies == null ? null : bodies.get(one.visit());
    return body != null && body.attempt() == one.attempt();
  }

  /** Bodies that have run for longer than this time; shorter ones are not worth a look. */
  public List<Running> longerThan(Duration age) {
    Instant before = node.now().minus(age);
    return list().stream()
        .filter(
            r -> {
              Map<Long, RunningBody> bodies = running.get(r.instance());
              RunningBody body = bodies == null ? null : bodies.get(r.visit());
              return body != null && body.hasBegunBefore(before);
            })
        .toList();
  }

  /** Fails the attempts whose time is up. */
  public void endOverdue() {
    Instant now = node.now();
    for (Map<Long, RunningBody> bodies : running.values()) {
      for (RunningBody body : bodies.values()) {
        if (body.isOverdue(now)) {
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

  /** True if a body that saw this number of crashes runs only alone. */
  public boolean isSuspect(int crashes) {
    return crashes >= node.settings().suspectAfter();
  }

  /** The highest number of crashes that a visit may have seen if it is to be taken now. */
  public int mostCrashes() {
    return suspects.isFree() ? Integer.MAX_VALUE : node.settings().suspectAfter() - 1;
  }
}
