package dev.waymark.engine.internal.request;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.CommitListener;
import dev.waymark.engine.internal.step.InstanceLoader;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Completes the calls that wait for the end of an instance, or of one visit of it. */
public final class EndNotifier implements CommitListener {

  private static final Logger log = LoggerFactory.getLogger(EndNotifier.class);

  /** The instances that one question to the store is about. */
  private static final int PAGE = 1_000;

  /** The patrols from one question about an instance to the next, once it has waited for long. */
  private static final int LONGEST_PAUSE = 8;

  private final ThisNode node;
  private final Mailboxes mailboxes;
  private final InstanceLoader loader;
  private final RowReader reader;
  private final ConcurrentMap<AwaitedEnd, WaitingCallers> awaited = new ConcurrentHashMap<>();
  private final AtomicBoolean patrolling = new AtomicBoolean();
  private final ConcurrentMap<InstanceId, Visit> visits = new ConcurrentHashMap<>();

  /**
   * An instance as one tenant asks for it. A caller of another tenant asks for another instance:
   * one that is not there.
   */
  private record AwaitedEnd(InstanceId instance, String tenant) {}

  private static final class WaitingCallers {
    final CompletableFuture<Instance> end = new CompletableFuture<>();

    int callers;

    // Touched by one patrol at a time.
    private int pause = 1;
    private int patrols;

    /** True if a patrol is to ask for it: at the second, and then rarer and rarer. */
    boolean isDue() {
      if (patrols++ < pause) {
        return false;
      }
      patrols = 1;
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      return true;
    }
  }

  private record Visit(long number, CompletableFuture<Boolean> ended) {}

  public EndNotifier(ThisNode node, Mailboxes mailboxes, InstanceLoader loader, RowReader reader) {
    this.node = node;
    this.mailboxes = mailboxes;
    this.loader = loader;
    this.reader = reader;
  }

  CompletableFuture<Instance> of(InstanceId instance, String tenant) {
    AwaitedEnd key = new AwaitedEnd(instance, tenant);
    WaitingCallers waiting =
        Objects.requireNonNull(
            awaited.compute(
                key,
                (k, known) -> {
                  WaitingCallers mine = known == null ? new WaitingCallers() : known;
                  mine.callers++;
                  return mine;
                }));
    // While the instance is under way here, its end is still to come, and this is told of it.
    if (!mailboxes.isUnderWay(instance, tenant)) {
      look(key, waiting);
    }
    patrolLater();
    return waiting.end;
  }

  /** Tells all callers that still wait that no answer will come. */
  public void close() {
    awaited.values().forEach(w -> w.end.completeExceptionally(EngineException.closed()));
  }

  /** One caller no longer waits; with the last of them the instance is forgotten here. */
  void giveUp(InstanceId instance, String tenant) {
    awaited.computeIfPresent(
        new AwaitedEnd(instance, tenant),
        (key, waiting) -> --waiting.callers == 0 ? null : waiting);
  }

  // The end may be behind us already, or happen on another node, where this one is not told.
  private void look(AwaitedEnd key, WaitingCallers waiting) {
    if (waiting.end.isDone()) {
      return;
    }
    loader.load(
        Load.of(key.instance()),
        answer -> found(key, waiting, answer),
        fault -> failed(key, waiting, fault));
  }

  private void found(AwaitedEnd key, WaitingCallers waiting, Load.Answer answer) {
    Instance found;
    try {
      found = reader.instance(answer);
    } catch (RuntimeException | Error e) {
      failed(key, waiting, e);
      return;
    }
    if (found == null || !found.tenant().equals(key.tenant())) {
      awaited.remove(key, waiting);
      waiting.end.completeExceptionally(
          new EngineException("Expected instance " + key.instance() + ", but there is none", null));
    } else if (found.status().isTerminal()) {
      awaited.remove(key, waiting);
      waiting.end.complete(found);
    }
  }

  private void failed(AwaitedEnd key, WaitingCallers waiting, Throwable fault) {
    awaited.remove(key, waiting);
    waiting.end.completeExceptionally(fault);
  }

  // One timer for all, and one question: this node is told of most ends by their commits, long
  // before the timer. For a run that takes long, it matters less when this node learns of its end
  // on another node.
  private void patrolLater() {
    if (!awaited.isEmpty() && patrolling.compareAndSet(false, true)) {
      node.scheduler().after(node.settings().pollEvery(), this::patrol);
    }
  }

  private void patrol() {
    try {
      Map<InstanceId, AwaitedEnd> due = new HashMap<>();
      awaited.forEach(
          (key, waiting) -> {
            if (waiting.isDue()) {
              due.put(key.instance(), key);
            }
          });
      List<InstanceId> ids = List.copyOf(due.keySet());
      for (int from = 0; from < ids.size(); from += PAGE) {
        lookAt(ids.subList(from, Math.min(ids.size(), from + PAGE)), due);
      }
    } catch (StoreException e) {
      log.debug("It could not be asked which instances have ended", e);
    } finally {
      patrolling.set(false);
      patrolLater();
    }
  }

  private void lookAt(List<InstanceId> page, Map<InstanceId, AwaitedEnd> due) {
    for (InstanceId ended : node.store().instances().ended(page)) {
      AwaitedEnd key = Objects.requireNonNull(due.get(ended));
      WaitingCallers waiting = awaited.get(key);
      if (waiting != null) {
        look(key, waiting);
      }
    }
  }

  /** Completes when the visit no longer runs: it ended, waits, is parked, or is to be retried. */
  CompletableFuture<Boolean> ofVisit(InstanceId instance, long visit) {
    Visit awaitedVisit = new Visit(visit, new CompletableFuture<>());
    visits.put(instance, awaitedVisit);
    return awaitedVisit.ended();
  }

  @Override
  public void committed(Unit unit) {
    if (!awaited.isEmpty() && unit.after().status().isTerminal()) {
      WaitingCallers waiting =
          awaited.remove(new AwaitedEnd(unit.instance(), unit.after().tenant()));
      if (waiting != null) {
        waiting.end.complete(unit.after());
      }
    }
    if (!visits.isEmpty()) {
      Visit visit = visits.get(unit.instance());
      var now = visit == null ? null : unit.after().activity(visit.number());
      if (visit != null && (now == null || now.state() != State.RUNNING)) {
        visits.remove(unit.instance(), visit);
        visit.ended().complete(true);
      }
    }
  }
}
