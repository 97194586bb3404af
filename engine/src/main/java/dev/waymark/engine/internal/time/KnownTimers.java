package dev.waymark.engine.internal.time;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.internal.node.DatabaseTime;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Worker;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The next timers of those that this node has created or moved. They fire from memory when they are
 * due; a question to the database first would cost each of them some milliseconds.
 *
 * <p>The question follows {@link #GRACE} later. It finds the timers that this node does not know:
 * those of other nodes and of processes that died, those that did not fit in here, and most of a
 * crowd that is due at once. So nothing depends on this memory but the lateness. A timer cannot
 * fire early either way: the commit compares its due time with the database's clock.
 */
public final class KnownTimers implements DueWorker.Duty, Worker {

  /** The question to the database comes so long after a timer that fires from memory. */
  private static final Duration GRACE = Duration.ofMillis(20);

  /**
   * Alarms for later are set in parts: the times of timers go beyond what a scheduler can count.
   */
  private static final Duration LONGEST = Duration.ofHours(1);

  private final ThisNode node;
  private final TimerDuty duty;
  private final DatabaseTime time;
  private final NavigableSet<KnownTimer> byDue = new TreeSet<>();
  private final Map<BookmarkId, KnownTimer> byId = new HashMap<>();
  private Scheduler.@Nullable Pending alarm;
  private @Nullable Instant ringsAt;
  private boolean stopped;

  private record KnownTimer(Instant due, BookmarkId id) implements Comparable<KnownTimer> {

    private static final Comparator<KnownTimer> ORDER =
        Comparator.comparing(KnownTimer::due).thenComparing(KnownTimer::id);

    @Override
    public int compareTo(KnownTimer other) {
      return ORDER.compare(this, other);
    }
  }

  public KnownTimers(ThisNode node, TimerDuty duty, DatabaseTime time) {
    this.node = node;
    this.duty = duty;
    this.time = time;
  }

  @Override
  public void start() {
    // A timer becomes known when the step that creates it is committed.
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    byDue.clear();
    byId.clear();
    if (alarm != null) {
      alarm.cancel();
    }
  }

  /**
   * A step has set a timer.
   *
   * @return when to ask the database for it
   */
  synchronized Instant set(BookmarkId id, Instant due) {
    forget(id);
    KnownTimer timer = new KnownTimer(due, id);
    if (stopped || (byDue.size() >= Limits.KNOWN_TIMERS && byDue.last().compareTo(timer) < 0)) {
      return due;
    }
    byDue.add(timer);
    byId.put(id, timer);
    if (byDue.size() > Limits.KNOWN_TIMERS) {
      forget(byDue.last().id());
    }
    setAlarm();
    return due.plus(GRACE);
  }

  /** A step has closed a timer. */
  synchronized void forget(BookmarkId id) {
    KnownTimer before = byId.remove(id);
    if (before != null) {
      byDue.remove(before);
    }
  }

  // Moved to a later time, an alarm would ring for nothing once; it is left as it is.
  private void setAlarm() {
    if (stopped || byDue.isEmpty()) {
      return;
    }
    Instant now = node.now();
    Instant soon = now.plus(LONGEST);
    Instant due = byDue.first().due();
    Instant rings = due.isBefore(soon) ? due : soon;
    if (ringsAt != null && !rings.isBefore(ringsAt)) {
      return;
    }
    if (alarm != null) {
      alarm.cancel();
    }
    ringsAt = rings;
    alarm = node.scheduler().after(Duration.between(now, rings).plus(time.doubt()), this::ring);
  }

  private void ring() {
    List<BookmarkId> due;
    synchronized (this) {
      ringsAt = null;
      due = takeDue(node.now().minus(time.doubt()));
      setAlarm();
    }
    duty.fire(due);
  }

  /** Of a crowd only the first; the others are left to the question, which reads them in pages. */
  private List<BookmarkId> takeDue(Instant now) {
    List<BookmarkId> due = new ArrayList<>();
    while (!byDue.isEmpty() && !byDue.first().due().isAfter(now)) {
      BookmarkId id = byDue.first().id();
      forget(id);
      if (due.size() < Limits.TIMERS_FROM_MEMORY) {
        due.add(id);
      }
    }
    return due;
  }

  @Override
  public boolean sweep(CommandPage page) {
    return duty.sweep(page);
  }

  @Override
  public Duration patience() {
    return duty.patience();
  }

  @Override
  public @Nullable Instant next() {
    return duty.next();
  }

  @Override
  public @Nullable Instant nextAfter(Instant moment) {
    return duty.nextAfter(moment);
  }

  @Override
  public synchronized Instant lookFor(Instant due) {
    return byDue.isEmpty() || !byDue.first().due().equals(due) ? due : due.plus(GRACE);
  }
}
