package dev.waymark.engine;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.engine.store.Duties.Running;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that a node does without being asked, started and stopped together. */
final class Workers {

  private static final Logger log = LoggerFactory.getLogger(Workers.class);

  /** The time for an engine to close: bodies, handlers and the last commits together. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** The time for giving back what did not finish, once that is over. */
  private static final Duration LAST_CARE = Duration.ofSeconds(2);

  /** The time for commits, and again for the messages that they send, once that is over. */
  private static final Duration LAST_COMMITS = Duration.ofSeconds(1);

  private final Node node;
  private final NodeKeeper keeper;
  private final DueWorker timers;
  private final OverdueTimers overdue;
  private final DueWorker ready;
  private final DueWorker outOfTime;
  private final ClaimDesk claims;
  private final List<BookmarkWorker> bookmarkWorkers = new CopyOnWriteArrayList<>();
  private final DueWorker schedules;
  private final Housekeeping housekeeping;
  private final HousekeepingDuty houseworker;
  private final InboxWorker inbox;
  private final OutboxWorker outbox;
  private boolean drained;

  Workers(
      Node node,
      NodeKeeper keeper,
      ScheduleDuty schedules,
      Housekeeping housekeeping,
      List<Subscription> subscriptions) {
    this.node = node;
    this.keeper = keeper;
    timers = new DueWorker(node, new TimerDuty(node));
    overdue = new OverdueTimers(node);
    ready = new DueWorker(node, new ReadyDuty(node));
    outOfTime = new DueWorker(node, new OutOfTimeDuty(node));
    claims = new ClaimDesk(node);
    this.schedules = new DueWorker(node, schedules);
    this.housekeeping = housekeeping;
    houseworker = new HousekeepingDuty(node, housekeeping);
    inbox = new InboxWorker(node);
    outbox = new OutboxWorker(node, subscriptions);
    node.aftermath().onTimer(timers::wakeAt);
    node.aftermath().onReady(ready::wakeAt);
    node.aftermath().onWait(this::opened);
    keeper.afterDeaths(inbox::sweep);
  }

  void start() {
    keeper.start();
    timers.start();
    overdue.start();
    ready.start();
    outOfTime.start();
    schedules.start();
    houseworker.start();
    inbox.start();
    outbox.start();
  }

  /** When a wait that has been opened or changed will be out of time. */
  private void opened(Bookmark wait) {
    if (wait.terms().expires() != null) {
      outOfTime.wakeAt(wait.terms().expires());
    }
    if (wait.kind() == BookmarkKind.MANUAL_INTERVENTION && wait.due() != null) {
      outOfTime.wakeAt(wait.due());
    }
  }

  /** A worker of the application's own, which stops with the others. */
  BookmarkWorker start(BookmarkWorker.Plan plan) {
    BookmarkWorker worker = new BookmarkWorker(node, claims, plan);
    bookmarkWorkers.add(worker);
    worker.start();
    return worker;
  }

  ClaimDesk claims() {
    return claims;
  }

  OverdueTimers overdueTimers() {
    return overdue;
  }

  Housekeeping housekeeping() {
    return housekeeping;
  }

  DueWorker schedules() {
    return schedules;
  }

  InboxWorker inbox() {
    return inbox;
  }

  /** Stops taking, finishes or gives back what runs, and says good-bye last. */
  synchronized void drain() {
    if (drained) {
      return;
    }
    drained = true;
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Scheduler.Pending alarm = node.scheduler().after(GRACE, () -> over.complete(true));
    List<CompletableFuture<Boolean>> running = new ArrayList<>();
    for (BookmarkWorker worker : bookmarkWorkers) {
      running.add(worker.stop());
    }
    node.drain();
    timers.stop();
    overdue.stop();
    ready.stop();
    outOfTime.stop();
    schedules.stop();
    houseworker.stop();
    inbox.stop();
    running.add(node.bodies().whenEmpty());
    if (!isInTime(all(running), over, Duration.ZERO)) {
      giveUp(over);
    }
    // A result that is queued must not lose the node under which it commits.
    if (!isInTime(node.mailboxes().whenEmpty(), over, LAST_COMMITS)) {
      log.warn("{} instances were still busy at the end", node.mailboxes().size());
    }
    lastLook(over);
    alarm.cancel();
    outbox.stop();
    keeper.stop();
    try {
      node.store().nodes().leave(node.id());
    } catch (StoreException e) {
      log.warn("Could not say good-bye; the lease of node {} lapses", node.id(), e);
    }
  }

  private static CompletableFuture<Boolean> all(List<CompletableFuture<Boolean>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
        .thenApply(done -> true);
  }

  /**
   * Waits for one part of the end.
   *
   * @param over ready when the time that all parts share is over
   * @param atLeast what this part gets even then
   */
  private boolean isInTime(
      CompletableFuture<Boolean> done, CompletableFuture<Boolean> over, Duration atLeast) {
    try {
      var unused = node.scheduler().await(done.applyToEither(over, either -> either), GRACE);
      return node.scheduler().await(done, atLeast);
    } catch (DeadlinePassed e) {
      return false;
    }
  }

  /** What the last commits sent to other instances would else wait for somebody's full look. */
  private void lastLook(CompletableFuture<Boolean> over) {
    CompletableFuture<Boolean> delivered =
        inbox.lastLook().thenCompose(looked -> node.mailboxes().whenEmpty());
    if (!isInTime(delivered, over, LAST_COMMITS)) {
      log.warn("Not all messages could be delivered at the end; other nodes find them");
    }
  }

  /** Gives back what did not finish: the waits of workers, and bodies. */
  private void giveUp(CompletableFuture<Boolean> over) {
    List<CompletableFuture<Boolean>> given = new ArrayList<>();
    bookmarkWorkers.forEach(worker -> given.add(worker.giveUp()));
    List<Running> bodies = node.bodies().list();
    if (!bodies.isEmpty()) {
      given.add(release(bodies));
    }
    if (!isInTime(all(given), over, LAST_CARE)) {
      log.warn("Not everything could be given back; other nodes take it over");
    }
  }

  private CompletableFuture<Boolean> release(List<Running> unfinished) {
    log.info("Giving {} bodies back that did not finish in {}", unfinished.size(), GRACE);
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    Page page = new Page(node.scheduler(), unfinished.size(), () -> released.complete(true));
    for (Running one : unfinished) {
      node.bodies().superseded(one.instance(), one.visit(), one.attempt());
      Command.Meta meta = node.metaHere("release:" + one.visit() + "/" + one.attempt());
      node.post(
          one.instance(),
          Stimulus.internal(
              new Attempt.Release(meta, one.visit(), one.attempt(), null), page.one()));
    }
    return released;
  }
}
