package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.bookmark.BookmarkWorker;
import dev.waymark.engine.internal.node.RunAgain;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.query.ClaimOrder;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.ClaimQuery;
import dev.waymark.engine.store.Leases;
import dev.waymark.engine.store.Leases.Begun;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims waits of one kind and hands them to the application's handler. */
public final class EngineBookmarkWorker implements BookmarkWorker {

  private static final Logger log = LoggerFactory.getLogger(EngineBookmarkWorker.class);

  private static final Duration FIRST_REST = Duration.ofMillis(50);
  private static final Duration GRACE = Duration.ofSeconds(10);

  /**
   * The configuration of a worker.
   *
   * @param name under which it holds and answers waits
   * @param groups in whose name it acts
   * @param tenants whose waits it takes; empty for all
   * @param lease how long a claim lasts without being extended
   * @param longestRest how long it sleeps at most when there is nothing to do
   */
  public record WorkerPlan(
      BookmarkKind kind,
      String name,
      Set<String> groups,
      Set<String> tenants,
      int concurrency,
      ClaimOrder order,
      Duration lease,
      Duration longestRest,
      Handler handler) {}

  private final BookmarkWorkers workers;
  private final ThisNode node;
  private final WorkerPlan plan;
  private final TenantRoundRobin tenants;
  private final Map<EngineClaimedBookmark, Boolean> running = new LinkedHashMap<>();
  private final CompletableFuture<Boolean> idle = new CompletableFuture<>();
  private final RunAgain claiming;
  private Scheduler.@Nullable Pending alarm;
  private Duration rest = FIRST_REST;
  private boolean stopped;

  EngineBookmarkWorker(BookmarkWorkers workers, WorkerPlan plan) {
    this.workers = workers;
    this.node = workers.node();
    this.plan = plan;
    this.tenants = new TenantRoundRobin(node, plan.kind(), plan.tenants());
    this.claiming = new RunAgain(node.scheduler(), this::claimNext);
  }

  void start() {
    wake();
  }

  /** A wait was opened or changed. */
  void opened(Bookmark wait) {
    if (wait.kind() == plan.kind()) {
      wake();
    }
  }

  /** Something may be there to be done. */
  private synchronized void wake() {
    rest = FIRST_REST;
    claim();
  }

  private synchronized void claim() {
    if (!stopped && running.size() < plan.concurrency() && claiming.ask() && alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }

  private void claimNext() {
    try {
      claimFromNext();
    } catch (RuntimeException | Error e) {
      log.warn("Worker '{}' could not claim; trying again", plan.name(), e);
      rest();
    }
  }

  private void claimFromNext() {
    @Nullable String tenant;
    int room;
    tenant = tenants.next();
    if (tenant == null) {
      rest();
      return;
    }
    synchronized (this) {
      room = Math.min(plan.concurrency() - running.size(), tenants.share(plan.concurrency()));
    }
    var unused =
        workers
            .claims()
            .claim(query(tenant), plan.name(), Math.max(1, room), node.now())
            .whenComplete(
                (claims, fault) ->
                    node.scheduler()
                        .execute(() -> claiming.part(() -> taken(tenant, claims, fault))));
  }

  private ClaimQuery query(String tenant) {
    Set<String> names = Candidates.namesOf(actor(tenant));
    names.add(Candidates.ANYBODY_AT_ALL);
    return new ClaimQuery(
        tenant,
        Set.of(plan.kind()),
        names,
        plan.name(),
        plan.order(),
        plan.lease(),
        Limits.LEASE_EXTENSIONS);
  }

  private Actor actor(String tenant) {
    return new Actor(plan.name(), tenant, plan.groups(), Set.of());
  }

  private void taken(String tenant, @Nullable List<Claim> claims, @Nullable Throwable fault) {
    if (claims == null) {
      log.warn("Worker '{}' could not claim; trying again", plan.name(), fault);
      rest();
      return;
    }
    tenants.found(!claims.isEmpty());
    List<EngineClaimedBookmark> taken = new ArrayList<>();
    for (Claim claim : claims) {
      Bookmark bookmark = workers.claims().read(claim);
      if (bookmark != null) {
        taken.add(
            new EngineClaimedBookmark(
                tenant, bookmark.heldBy(claim.lease()), claim.lease(), workers));
      }
    }
    boolean room;
    synchronized (this) {
      for (EngineClaimedBookmark work : taken) {
        running.put(work, true);
        if (stopped) {
          work.lose();
        }
        node.scheduler().execute(() -> run(work));
      }
      room = !stopped && running.size() < plan.concurrency();
      if (!room) {
        claiming.stop();
      }
    }
    if (room) {
      claimNext();
    }
  }

  /** Nothing to do: looks again after a pause that grows, or at once if a wait was opened. */
  private synchronized void rest() {
    if (stopped) {
      claiming.stop();
    } else if (claiming.ended()) {
      claiming.runSoon();
    } else {
      Duration pause = rest;
      rest = rest.multipliedBy(2);
      if (rest.compareTo(plan.longestRest()) > 0) {
        rest = plan.longestRest();
      }
      alarm = node.scheduler().after(pause, this::claim);
    }
  }

  // ---- one wait

  private void run(EngineClaimedBookmark work) {
    if (work.isLost()) {
      var unused = giveBack(work, Duration.ZERO);
      return;
    }
    LeaseExtension extension = new LeaseExtension(node, plan.name(), plan.lease(), work);
    extension.later();
    try {
      Begun begun =
          node.store().leases().begin(work.bookmark().id(), plan.name(), work.lease().fence());
      if (begun == Begun.NOT_CURRENT) {
        // The wait was taken away, or its run has ended, before the handler could begin.
        extension.stop();
        finished(work);
        return;
      }
      // Only a suspended run is read: a parked one still takes answers, a held one does not.
      if (begun == Begun.SUSPENDED && isHeld(work)) {
        extension.stop();
        putAside(work);
        return;
      }
    } catch (RuntimeException | Error e) {
      failed(work, extension, e);
      return;
    }
    node.scheduler().executeUserCode(() -> handle(work, extension));
  }

  private void handle(EngineClaimedBookmark work, LeaseExtension extension) {
    Map<String, @Nullable Object> answer;
    try {
      answer = Json.given(plan.handler().handle(work));
      workers.payloads().admit(answer, work.tenant());
    } catch (Exception | Error e) {
      node.scheduler().enter(() -> failed(work, extension, e));
      return;
    }
    node.scheduler().enter(() -> handled(work, extension, answer));
  }

  private void failed(EngineClaimedBookmark work, LeaseExtension extension, Throwable fault) {
    extension.stop();
    Trace.log(
        fault,
        thrown ->
            log.warn(
                "Worker '{}' failed at {}; it is tried again",
                plan.name(),
                work.bookmark().id(),
                thrown));
    var unused = giveBack(work, pause(work));
  }

  private void handled(
      EngineClaimedBookmark work, LeaseExtension extension, Map<String, @Nullable Object> answer) {
    Lease lease = work.lease();
    String id = "work:" + Long.toHexString(work.bookmark().id().tag()) + "/" + lease.fence();
    Command.Meta meta = new Command.Meta(id, actor(work.tenant()), node.now(), null, null, null);
    workers
        .commands()
        .post(
            work.bookmark().id().instance(),
            PendingCommand.internal(
                new Command.Resume(meta, work.bookmark().id(), lease.fence(), answer),
                outcome -> {
                  extension.stop();
                  answered(work, outcome);
                }));
  }

  private void answered(EngineClaimedBookmark work, PendingCommand.Outcome outcome) {
    if (outcome.fault() == null && !(outcome.decision() instanceof Rejection)) {
      finished(work);
      return;
    }
    log.warn(
        "Worker '{}' was refused at {}: {}",
        plan.name(),
        work.bookmark().id(),
        outcome.decision() instanceof Rejection rejection
            ? rejection.message()
            : String.valueOf(outcome.fault()));
    boolean held =
        outcome.decision() instanceof Rejection rejection && rejection.code() == Code.SUSPENDED;
    node.scheduler()
        .execute(
            () -> {
              if (held) {
                putAside(work);
              } else {
                var unused = giveBack(work, pause(work));
              }
            });
  }

  private boolean isHeld(EngineClaimedBookmark work) {
    InstanceId run = work.bookmark().id().instance();
    Instance instance = workers.reader().instance(node.store().load(List.of(Load.of(run))).get(0));
    return instance != null && instance.hold() != null;
  }

  /**
   * Leaves a wait whose run an operator holds. The step that lets the run go ends the pause; if
   * that step came before the pause was written, this worker sees it now and ends the pause itself.
   */
  private void putAside(EngineClaimedBookmark work) {
    var unused = giveBack(work, ClaimBatcher.WORST_PAUSE, () -> isHeld(work));
  }

  private static Duration pause(EngineClaimedBookmark work) {
    return ClaimBatcher.pause(work.lease());
  }

  private CompletableFuture<Boolean> giveBack(EngineClaimedBookmark work, Duration pause) {
    return giveBack(work, pause, () -> true);
  }

  /**
   * Ends the claim; ready when it has ended, or lapses because the database is away.
   *
   * @param rests asked once the pause is written: false ends the pause at once
   */
  private CompletableFuture<Boolean> giveBack(
      EngineClaimedBookmark work, Duration pause, BooleanSupplier rests) {
    return workers
        .calls()
        .submit(node.now().plus(plan.lease()), again -> release(work, pause, rests))
        .handle(
            (released, fault) -> {
              if (fault != null) {
                log.warn("Could not give {} back; its lease lapses", work.bookmark().id(), fault);
              }
              finished(work);
              return fault == null;
            });
  }

  private boolean release(EngineClaimedBookmark work, Duration pause, BooleanSupplier rests) {
    Leases leases = node.store().leases();
    long fence = work.lease().fence();
    boolean released =
        pause.isZero()
            ? leases.release(work.bookmark().id(), fence)
            : leases.release(work.bookmark().id(), fence, pause);
    if (released && !pause.isZero() && !rests.getAsBoolean()) {
      released = leases.release(work.bookmark().id(), fence);
    }
    log.debug("{} given back: {}", work.bookmark().id(), released);
    return released;
  }

  private void finished(EngineClaimedBookmark work) {
    synchronized (this) {
      running.remove(work);
      if (stopped && running.isEmpty()) {
        idle.complete(true);
      }
    }
    wake();
  }

  // ---- the end

  @Override
  public CompletableFuture<Boolean> stop() {
    workers.forget(this);
    synchronized (this) {
      stopped = true;
      if (alarm != null) {
        alarm.cancel();
      }
      if (running.isEmpty()) {
        idle.complete(true);
      }
    }
    return idle;
  }

  @Override
  public void close() {
    try {
      node.scheduler().await(stop(), GRACE);
    } catch (DeadlinePassed e) {
      try {
        node.scheduler().await(giveUp(), GRACE);
      } catch (DeadlinePassed late) {
        log.warn("Worker '{}' could not give everything back; leases lapse", plan.name(), late);
      }
    }
  }

  /**
   * Gives back the waits whose handlers have not ended; the future completes when that has
   * succeeded, or failed for good.
   */
  CompletableFuture<Boolean> giveUp() {
    List<EngineClaimedBookmark> unfinished;
    synchronized (this) {
      unfinished = List.copyOf(running.keySet());
    }
    if (!unfinished.isEmpty()) {
      log.info("Worker '{}' gives {} waits back", plan.name(), unfinished.size());
    }
    List<CompletableFuture<Boolean>> given = new ArrayList<>();
    for (EngineClaimedBookmark work : unfinished) {
      work.lose();
      given.add(giveBack(work, Duration.ZERO));
    }
    return CompletableFuture.allOf(given.toArray(CompletableFuture[]::new)).thenApply(done -> true);
  }
}
