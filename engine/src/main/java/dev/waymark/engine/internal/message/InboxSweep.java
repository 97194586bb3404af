package dev.waymark.engine.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.step.Step;
import dev.waymark.engine.internal.node.RunAgain;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Inbox.Place;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The full look at the inbox: removes messages that no instance can receive any more, and delivers
 * messages that a crash left between a commit and its look. Its cost grows with the number of
 * waiting messages, not with history.
 */
public final class InboxSweep {

  private static final Logger log = LoggerFactory.getLogger(InboxSweep.class);
  private static final int LAST_ROUNDS = 3;

  private final ThisNode node;
  private final MessageDelivery delivery;
  private final MessageCorrelator correlator;
  private final RunAgain looking;
  private int lastRounds;
  private @Nullable CompletableFuture<Boolean> last;
  private volatile boolean moved;

  public InboxSweep(ThisNode node, MessageDelivery delivery, MessageCorrelator correlator) {
    this.node = node;
    this.delivery = delivery;
    this.correlator = correlator;
    this.looking = new RunAgain(node.scheduler(), this::look);
  }

  /** One look at a time: a request during a look starts another one after it. */
  void run() {
    if (begins()) {
      looking.run();
    }
  }

  // Under the lock, as the end of a look is: the future of the last look must not be completed by
  // an earlier one.
  private synchronized boolean begins() {
    return looking.begin();
  }

  /**
   * Repeats the look until one has moved nothing, a few times at most: the instances that it moves
   * can send messages to others. The answer comes in any case.
   */
  CompletableFuture<Boolean> last() {
    CompletableFuture<Boolean> looked = new CompletableFuture<>();
    synchronized (this) {
      last = looked;
      lastRounds = LAST_ROUNDS;
    }
    run();
    return looked;
  }

  private void look() {
    moved = false;
    CompletableFuture<Boolean> addressed;
    try {
      clear();
      delivery.signals().sweep();
      addressed = correlator.sweep().thenCompose(done -> addressed());
    } catch (RuntimeException | Error e) {
      failed(e);
      return;
    }
    var unused =
        addressed.whenComplete(
            (done, fault) -> {
              if (fault == null) {
                end();
              } else {
                failed(fault);
              }
            });
  }

  private void clear() {
    int removed = correlator.expire();
    Place last = Place.START;
    while (last != null) {
      Inbox.Cleared page = node.store().inbox().clear(last, Limits.MESSAGES_PER_PAGE);
      removed += page.removed();
      last = page.last();
    }
    if (removed > 0) {
      log.info("Removed {} messages that nobody can receive any more", removed);
    }
  }

  /**
   * Until a page is empty: a message that is delivered can make another one behind it matchable, as
   * the start of a child does with the message that cancels it.
   */
  private CompletableFuture<Boolean> addressed() {
    Pages<MessageRow> pages =
        Pages.behind(
            Place.START,
            after -> {
              Page<MessageRow> page =
                  node.store().inbox().matchable(after, Limits.MESSAGES_PER_PAGE);
              return new Page<>(page.rows(), !page.rows().isEmpty());
            },
            Place::of);
    return PagedLook.untilEnded(node.scheduler(), pages, this::deliver);
  }

  private void deliver(MessageRow row, Runnable ended) {
    delivery.deliver(
        row,
        outcome -> {
          if (outcome.decision() instanceof Step) {
            moved = true;
          }
          ended.run();
        });
  }

  private void failed(Throwable why) {
    if (node.isDraining()) {
      // The store may be closed by now; other nodes look.
      log.debug("Could not look for waiting messages at the end", why);
    } else {
      log.warn("Could not look for waiting messages", why);
      node.scheduler().after(node.settings().pollEvery(), this::run);
    }
    end();
  }

  private void end() {
    boolean more;
    CompletableFuture<Boolean> done;
    synchronized (this) {
      more = looking.ended() || (last != null && moved && --lastRounds > 0 && looking.begin());
      done = more ? null : last;
      last = more ? last : null;
    }
    if (more) {
      looking.runSoon();
    } else if (done != null) {
      done.complete(true);
    }
  }
}
