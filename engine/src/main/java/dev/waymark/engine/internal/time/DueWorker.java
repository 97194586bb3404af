package dev.waymark.engine.internal.time;

import dev.waymark.core.Limits;
import dev.waymark.engine.internal.node.RunAgain;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what is due, when it is due. Sleeps until the next due row, is woken when an earlier one is
 * created, and sweeps until nothing is left. {@link DueLook} tells it of rows that other nodes have
 * created, and wakes it if a search of its own was missed or has failed.
 */
public final class DueWorker implements Worker {

  private static final Logger log = LoggerFactory.getLogger(DueWorker.class);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  /** An alarm for later rings for nothing: due times go beyond what a scheduler can count. */
  private static final Duration LONGEST = Limits.DURATION;

  private final ThisNode node;
  private final Duty duty;
  private final RunAgain sweeping;
  private @Nullable Instant wakeAt;
  private Scheduler.@Nullable Pending alarm;
  private boolean stopped;

  /**
   * True if the last look has found nothing to do although a row is due. The alarm is set for the
   * end of a pause then.
   */
  private volatile boolean passedBy;

  /** Starts work of one kind that is due, and tells when the next is due. */
  interface Duty {

    /**
     * Starts what is due now, at most a page of it.
     *
     * @param page to be ended once everything of it has come to its end
     * @return whether anything was due
     */
    boolean sweep(CommandPage page);

    /** How long at most the page that was started last holds up the next. */
    default Duration patience() {
      return CommandPage.PATIENCE;
    }

    @Nullable Instant next();

    /** When to look for a row that is due then. */
    default Instant lookFor(Instant due) {
      return due;
    }

    /** The next that is due after a moment, if this duty can tell. */
    default @Nullable Instant nextAfter(Instant moment) {
      return null;
    }
  }

  public DueWorker(ThisNode node, Duty duty) {
    this.node = node;
    this.duty = duty;
    this.sweeping = new RunAgain(node.scheduler(), this::sweep);
  }

  @Override
  public void start() {
    wake();
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    clearAlarm();
  }

  /** Something is due at that moment; if it is the next, the alarm is set for it. */
  public void wakeAt(Instant due) {
    boolean now;
    synchronized (this) {
      now = !due.isAfter(node.now());
      if (!now) {
        if (!sweeping.follow()) {
          setAlarm(due);
        }
        return;
      }
    }
    wake();
  }

  /**
   * The next row that is due, as a question has found it. Of one that the last look has passed by
   * this worker knows: it looks again when its pause is over.
   */
  void next(@Nullable Instant due) {
    if (due != null && !passedBy) {
      wakeAt(duty.lookFor(due));
    }
  }

  synchronized void wake() {
    if (!stopped) {
      sweeping.ask();
    }
  }

  private void sweep() {
    boolean found;
    CommandPage page = new CommandPage(node.scheduler(), sweeping::run);
    try {
      found = duty.sweep(page);
    } catch (RuntimeException | Error e) {
      log.warn("Could not look for what is due; trying again", e);
      node.scheduler().after(PAUSE, page::end);
      return;
    }
    if (found) {
      page.limit(duty.patience());
    } else {
      rest();
    }
  }

  private void rest() {
    @Nullable Instant next;
    try {
      next = nextLook();
    } catch (RuntimeException | Error e) {
      log.warn("Could not look for what is due next; trying again", e);
      node.scheduler().after(PAUSE, sweeping::run);
      return;
    }
    synchronized (this) {
      clearAlarm();
      if (sweeping.ended()) {
        sweeping.runSoon();
      } else if (next != null) {
        setAlarm(next);
      }
    }
  }

  /** When the next row is due; or, if a look has passed by a due row, the end of a pause. */
  private @Nullable Instant nextLook() {
    Instant next = lookFor(duty.next());
    Instant now = node.now();
    boolean due = next != null && !next.isAfter(now);
    if (due && passedBy) {
      Instant again = now.plus(pauseFor(Duration.between(next, now)));
      Instant later = lookFor(duty.nextAfter(now));
      next = later == null || later.isAfter(again) ? again : later;
    }
    passedBy = due;
    return next;
  }

  private @Nullable Instant lookFor(@Nullable Instant due) {
    return due == null ? null : duty.lookFor(due);
  }

  /**
   * The pause for a row that two looks have not found. One that has come due just now may not be so
   * by the database's clock yet, which is known up to a millisecond or so. One that has been due
   * for longer is put aside or under way, and the rows behind it are not due.
   */
  private static Duration pauseFor(Duration overdue) {
    if (overdue.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return overdue.compareTo(PAUSE) < 0 ? overdue : PAUSE;
  }

  private void setAlarm(Instant due) {
    if (stopped || (wakeAt != null && !due.isBefore(wakeAt))) {
      return;
    }
    clearAlarm();
    wakeAt = due;
    Instant now = node.now();
    Instant latest = now.plus(LONGEST);
    alarm =
        node.scheduler()
            .after(Duration.between(now, due.isBefore(latest) ? due : latest), this::wake);
  }

  private void clearAlarm() {
    if (alarm != null) {
      alarm.cancel();
    }
    alarm = null;
    wakeAt = null;
  }
}
