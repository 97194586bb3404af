package dev.waymark.engine.internal.lifecycle;

import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.internal.body.RunningBodies;
import dev.waymark.engine.internal.bookmark.BookmarkWorkers;
import dev.waymark.engine.internal.message.InboxWorker;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All work that a node does without a command of a caller, started and stopped together. */
final class BackgroundWork {

  private static final Logger log = LoggerFactory.getLogger(BackgroundWork.class);

  /** The time for an engine to close: bodies, handlers and the last commits together. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** The time for giving back what did not finish, once that is over. */
  private static final Duration LAST_CARE = Duration.ofSeconds(2);

  /** The time for commits, and again for the messages that they send, once that is over. */
  private static final Duration LAST_COMMITS = Duration.ofSeconds(1);

  private final ThisNode node;
  private final RunningBodies bodies;
  private final Mailboxes mailboxes;
  private final BookmarkWorkers bookmarkWorkers;
  private final InboxWorker inbox;
  private final List<Worker> untilDrained;
  private final List<Worker> untilTheEnd;
  private boolean drained;

  /**
   * @param untilDrained workers that stop when the engine begins to close, beside the inbox
   * @param untilTheEnd workers that the last commits still need, in the order in which they stop
   */
  BackgroundWork(
      ThisNode node,
      RunningBodies bodies,
      Mailboxes mailboxes,
      BookmarkWorkers bookmarkWorkers,
      InboxWorker inbox,
      List<Worker> untilDrained,
      List<Worker> untilTheEnd) {
    this.node = node;
    this.bodies = bodies;
    this.mailboxes = mailboxes;
    this.bookmarkWorkers = bookmarkWorkers;
    this.inbox = inbox;
    this.untilDrained = List.copyOf(untilDrained);
    this.untilTheEnd = List.copyOf(untilTheEnd);
  }

  void start() {
    untilTheEnd.reversed().forEach(Worker::start);
    untilDrained.forEach(Worker::start);
    inbox.start();
  }

  /**
   * Takes no more work, finishes or gives back the bodies that run, and marks this node as ended
   * last.
   */
  synchronized void drain() {
    if (drained) {
      return;
    }
    drained = true;
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Scheduler.Pending alarm = node.scheduler().after(GRACE, () -> over.complete(true));
    List<CompletableFuture<Boolean>> running = bookmarkWorkers.stop();
    node.drain();
    untilDrained.forEach(Worker::stop);
    inbox.stop();
    running.add(bodies.whenEmpty());
    if (!isInTime(all(running), over, Duration.ZERO)) {
      giveUp(over);
    }
    // A result that is queued must not lose the node under which it commits.
    if (!isInTime(mailboxes.whenEmpty(), over, LAST_COMMITS)) {
      log.warn("{} instances were still busy at the end", mailboxes.size());
    }
    lastLook(over);
    alarm.cancel();
    untilTheEnd.forEach(Worker::stop);
    try {
      node.store().nodes().leave(node.id());
    } catch (RuntimeException e) {
      // Also if the application closed the store before its engine.
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

  /**
   * Delivers the messages that the last commits sent to other instances; else they would wait for
   * the next full look of a node.
   */
  private void lastLook(CompletableFuture<Boolean> over) {
    CompletableFuture<Boolean> delivered =
        inbox.lastLook().thenCompose(looked -> mailboxes.whenEmpty());
    if (!isInTime(delivered, over, LAST_COMMITS)) {
      log.warn("Not all messages could be delivered at the end; other nodes find them");
    }
  }

  /** Gives back what did not finish: the waits of workers, and bodies. */
  private void giveUp(CompletableFuture<Boolean> over) {
    List<CompletableFuture<Boolean>> given = bookmarkWorkers.giveUp();
    int unfinished = bodies.size();
    if (unfinished > 0) {
      log.info("Giving {} bodies back that did not finish in {}", unfinished, GRACE);
      given.add(bodies.giveBack());
    }
    if (!isInTime(all(given), over, LAST_CARE)) {
      log.warn("Not everything could be given back; other nodes take it over");
    }
  }
}
