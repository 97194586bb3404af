package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.node.BatchQueue;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoredInstances.EntryPlace;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import java.sql.Connection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the queued units, in batches (see {@link BatchQueue}). The only caller of the store's
 * commit.
 *
 * <p>A unit leaves it committed, void (decide again) or failed for its own reasons; never "busy"
 * and never "unknown". A unit whose row another transaction has locked is tried again, after three
 * times alone and waiting if there is a place to wait; after a lost reply the same units are
 * submitted again, and the history that stands there now is compared with the unit's own.
 */
public final class Committer {

  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final int BUSY_TRIES = 3;

  /**
   * The number of units that wait for their rows at a time. They wait on connections for bodies;
   * transactional activities and joined steps need the other ones.
   */
  private static final int WAITING_AT_A_TIME = 2;

  private final Store store;
  private final Scheduler scheduler;
  private final Supplier<NodeId> node;
  private final CrashPoints crash;
  private final RowWriter writer;
  private final Store.Capacity capacity;
  private final BatchQueue<QueuedUnit> queue;
  private final Semaphore waitingPlaces = new Semaphore(WAITING_AT_A_TIME);
  private final Runnable afterUnknown;

  /** A unit on its way. Touched by one committer at a time. */
  private static final class QueuedUnit {
    final UnitRows unit;
    final Consumer<CommitResult> callback;
    int busy;
    int failures;
    boolean unknown;

    QueuedUnit(UnitRows unit, Consumer<CommitResult> callback) {
      this.unit = unit;
      this.callback = callback;
    }
  }

  /**
   * @param afterUnknown run after a reply was lost: the store may name this node for visits that do
   *     not run here
   */
  public Committer(ThisNode node, RowWriter writer, Runnable afterUnknown) {
    this.store = node.store();
    this.scheduler = node.scheduler();
    this.node = node::id;
    this.crash = node.crash();
    this.writer = writer;
    this.afterUnknown = afterUnknown;
    this.capacity = store.capacity();
    this.queue =
        new BatchQueue<>(scheduler, "committer", capacity.committers(), this::take, this::commit);
  }

  /** Queues a unit; the callback runs in a task of its own once its fate is known. */
  void submit(Unit unit, Consumer<CommitResult> callback) {
    queue.add(new QueuedUnit(writer.write(unit), callback));
  }

  private List<QueuedUnit> take(Deque<QueuedUnit> queued) {
    List<QueuedUnit> batch = new ArrayList<>();
    int bytes = 0;
    while (!queued.isEmpty()
        && batch.size() < capacity.unitsPerBatch()
        && (batch.isEmpty() || bytes + queued.element().unit.size() <= capacity.bytesPerBatch())) {
      QueuedUnit entry = queued.remove();
      bytes += entry.unit.size();
      batch.add(entry);
    }
    return batch;
  }

  /** The rows of a unit, for {@link #commitOn}. */
  public UnitRows rows(Unit unit) {
    return writer.write(unit);
  }

  /**
   * One unit in the caller's transaction, waiting for its rows; durable when the caller commits.
   */
  public CommitResult commitOn(Connection connection, @Nullable NodeId as, UnitRows unit) {
    return store.commitOn(connection, as, unit);
  }

  public int queued() {
    return queue.size();
  }

  private void commit(List<QueuedUnit> batch) {
    List<CommitResult> results;
    try {
      crash.at(Point.P3_BEFORE_COMMIT);
      results = store.commit(node.get(), batch.stream().map(e -> e.unit).toList());
      crash.at(Point.P8_COMMITTED_UNHEARD);
    } catch (StoreException e) {
      recover(batch, e);
      return;
    } catch (RuntimeException | Error e) {
      // A fault of ours, or a planned crash. No caller may wait for ever because of it, other units
      // must not fail for it, and it is not known whether the batch was written.
      log.error("A batch of {} units failed with a fault of ours", batch.size(), e);
      batch.forEach(entry -> entry.unknown = true);
      halve(batch, fault(e));
      return;
    }
    List<CommitResult> settled = results;
    scheduler.execute(() -> settle(batch, settled));
  }

  /**
   * In a task: to wake up each caller takes time, and the lane has the next batch to write. Each
   * unit is answered in a task of its own, the last one in this task: one hand-over of threads less
   * for a unit that is alone.
   */
  private void settle(List<QueuedUnit> batch, List<CommitResult> results) {
    int last = batch.size() - 1;
    for (int i = 0; i < last; i++) {
      QueuedUnit entry = batch.get(i);
      CommitResult result = results.get(i);
      scheduler.execute(() -> settle(entry, result));
    }
    settle(batch.get(last), results.get(last));
  }

  /** Runs the callback, so it is called in a task and with no lock held. */
  private void settle(QueuedUnit entry, CommitResult result) {
    Outcome outcome = result.outcome();
    if (outcome == Outcome.BUSY) {
      tryAgain(entry);
    } else if (entry.unknown && outcome != Outcome.COMMITTED) {
      askHistory(entry, result);
    } else {
      entry.callback.accept(result);
    }
  }

  private void recover(List<QueuedUnit> batch, StoreException fault) {
    switch (fault.kind()) {
      case UNKNOWN_OUTCOME -> {
        log.warn("The reply to a batch of {} units was lost; submitting it again", batch.size());
        batch.forEach(entry -> entry.unknown = true);
        batch.forEach(this::pauseAndEnqueue);
        scheduler.execute(afterUnknown);
      }
      case TRANSIENT -> {
        log.debug("A batch of {} units could not be written now", batch.size(), fault);
        batch.forEach(this::pauseAndEnqueue);
      }
      case PERMANENT -> halve(batch, fault);
    }
  }

  /**
   * Finds the unit that spoils its batch: the others must not suffer for it.
   *
   * <p>A store already answers for each unit whose rows it cannot write (the one on PostgreSQL
   * halves its batch for that, see {@code PostgresCommit.apart}). Only faults that a store ascribes
   * to no unit come here: an exception of ours, for example on binding a value, which one unit may
   * cause; and a permanent one of the database, such as a missing table, which halving cannot find
   * in any unit, so that in the end each of them has failed by itself.
   */
  private void halve(List<QueuedUnit> batch, StoreException fault) {
    if (batch.size() == 1) {
      log.warn("Instance {}: its unit cannot be written", batch.get(0).unit.id(), fault);
      QueuedUnit entry = batch.get(0);
      scheduler.execute(() -> settle(entry, CommitResult.failed(fault)));
      return;
    }
    int middle = batch.size() / 2;
    commit(batch.subList(0, middle));
    commit(batch.subList(middle, batch.size()));
  }

  private void pauseAndEnqueue(QueuedUnit entry) {
    entry.failures++;
    scheduler.after(StoreCalls.BACKOFF.after(entry.failures), () -> queue.add(entry));
  }

  private void tryAgain(QueuedUnit entry) {
    entry.busy++;
    if (entry.busy <= BUSY_TRIES) {
      scheduler.after(StoreCalls.BACKOFF.after(entry.busy), () -> queue.add(entry));
    } else {
      scheduler.after(StoreCalls.BACKOFF.after(entry.busy - BUSY_TRIES), () -> waitForRows(entry));
    }
  }

  /**
   * Waits for the rows if there is a place to wait. If not, the unit goes with a batch again: it
   * does not stand behind others, which may wait for rows that an application keeps.
   */
  private void waitForRows(QueuedUnit entry) {
    if (!waitingPlaces.tryAcquire()) {
      queue.add(entry);
      return;
    }
    try {
      commitAlone(entry);
    } finally {
      waitingPlaces.release();
    }
  }

  /** In the waiting form and on a connection of its own: a holder of the row is waited out. */
  private void commitAlone(QueuedUnit entry) {
    CommitResult result;
    try {
      result = store.commitWaiting(node.get(), entry.unit);
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.PERMANENT) {
        scheduler.execute(() -> settle(entry, CommitResult.failed(e)));
      } else {
        entry.unknown |= e.kind() == StoreException.Kind.UNKNOWN_OUTCOME;
        entry.busy = BUSY_TRIES;
        scheduler.after(StoreCalls.BACKOFF.after(++entry.failures), () -> queue.add(entry));
      }
      return;
    } catch (RuntimeException | Error e) {
      log.error("Instance {}: its unit failed with a fault of ours", entry.unit.id(), e);
      entry.unknown = true;
      scheduler.execute(() -> settle(entry, CommitResult.failed(fault(e))));
      return;
    }
    scheduler.execute(() -> settle(entry, result));
  }

  private static StoreException fault(Throwable e) {
    return new StoreException(StoreException.Kind.PERMANENT, String.valueOf(e.getMessage()), e);
  }

  /** After a lost reply: the versions that stand there may be those of this very unit. */
  private void askHistory(QueuedUnit entry, CommitResult result) {
    UnitRows unit = entry.unit;
    scheduler.execute(
        () -> {
          List<HistoryRow> stored;
          try {
            stored = stored(unit);
          } catch (StoreException e) {
            scheduler.after(
                StoreCalls.BACKOFF.after(++entry.failures), () -> askHistory(entry, result));
            return;
          } catch (RuntimeException | Error e) {
            log.error("Instance {}: cannot ask what became of its unit", unit.id(), e);
            entry.callback.accept(result);
            return;
          }
          entry.callback.accept(isOurs(unit.history(), stored) ? CommitResult.COMMITTED : result);
        });
  }

  /** As many entries as the unit has, from its first version on: perhaps several pages. */
  private List<HistoryRow> stored(UnitRows unit) {
    List<HistoryRow> stored = new ArrayList<>();
    EntryPlace place = EntryPlace.before(unit.before() + 1);
    int left = unit.history().size();
    while (left > 0) {
      Page<HistoryRow> page = store.instances().history(unit.id(), place, left);
      stored.addAll(page.rows());
      if (!page.more()) {
        break;
      }
      place = EntryPlace.of(page.rows().getLast());
      left = unit.history().size() - stored.size();
    }
    return stored;
  }

  /**
   * True if stored entries are those of a unit. The id of the command alone does not say so: a
   * caller who got no answer here may have asked another node under the same id, and that node's
   * decision differs in its times, and in whatever was computed from them.
   */
  private static boolean isOurs(List<HistoryRow> ours, List<HistoryRow> stored) {
    if (ours.size() != stored.size()) {
      return false;
    }
    for (int i = 0; i < ours.size(); i++) {
      if (!isSame(ours.get(i), stored.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(HistoryRow ours, HistoryRow stored) {
    return ours.version() == stored.version()
        && ours.ordinal() == stored.ordinal()
        && ours.commandId().equals(stored.commandId())
        && inMicros(ours.at()).equals(inMicros(stored.at()))
        && Objects.equals(ours.node(), stored.node())
        && Objects.equals(ours.changes(), stored.changes())
        && Objects.equals(ours.detail(), stored.detail());
  }

  /** The precision that both databases keep. */
  private static Instant inMicros(Instant at) {
    return at.truncatedTo(ChronoUnit.MICROS);
  }
}
