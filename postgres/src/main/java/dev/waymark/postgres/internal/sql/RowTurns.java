package dev.waymark.postgres.internal.sql;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets the callers of this process that want one row go one at a time: only the first of them waits
 * for it in the database. Without this, sixteen callers that wanted a locked task took all
 * connections for loads, and a load of another run took a second.
 *
 * <p>Of the callers that wait for different locked rows, only a few wait in the database at a time.
 */
public final class RowTurns {

  private static final int SLOTS = 2;

  private final Map<Object, Turn> turns = new ConcurrentHashMap<>();
  private final Semaphore slots = new Semaphore(SLOTS, true);

  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock(true);
    // Changed only inside of the map's own updates.
    private int callers;
  }

  /**
   * Runs the task when it is this caller's turn.
   *
   * @param late run instead if the turn does not come in time
   */
  <T> T take(Object row, Duration patience, Supplier<T> use, Supplier<T> late) {
    Turn turn =
        requireNonNull(
            turns.compute(
                row,
                (key, there) -> {
                  Turn one = there == null ? new Turn() : there;
                  one.callers++;
                  return one;
                }),
            "turn");
    try {
      if (!isMine(turn.lock, patience)) {
        return late.get();
      }
      try {
        return use.get();
      } finally {
        turn.lock.unlock();
      }
    } finally {
      turns.computeIfPresent(row, (key, there) -> --there.callers == 0 ? null : there);
    }
  }

  /**
   * Runs it as one of the few who wait for locked rows.
   *
   * @return absent if no place was free in time
   */
  <T> Optional<T> waiting(Duration patience, Supplier<T> use) {
    SlotBlocker place = new SlotBlocker(slots, patience);
    block(place);
    if (!place.taken) {
      return Optional.empty();
    }
    try {
      return Optional.of(use.get());
    } finally {
      slots.release();
    }
  }

  /** Tells a pool of threads that this one waits. */
  private static void block(ForkJoinPool.ManagedBlocker blocker) {
    try {
      ForkJoinPool.managedBlock(blocker);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class SlotBlocker implements ForkJoinPool.ManagedBlocker {

    private final Semaphore slots;
    private final Duration patience;
    private boolean taken;

    SlotBlocker(Semaphore slots, Duration patience) {
      this.slots = slots;
      this.patience = patience;
    }

    @Override
    public boolean block() throws InterruptedException {
      taken = taken || slots.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    }

    @Override
    public boolean isReleasable() {
      taken = taken || slots.tryAcquire();
      return taken;
    }
  }

  private static boolean isMine(ReentrantLock lock, Duration patience) {
    if (lock.tryLock()) {
      return true;
    }
    block(new LockBlocker(lock, patience));
    return lock.isHeldByCurrentThread();
  }

  private record LockBlocker(ReentrantLock lock, Duration patience)
      implements ForkJoinPool.ManagedBlocker {

    @Override
    public boolean block() throws InterruptedException {
      var unused = lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    }

    @Override
    public boolean isReleasable() {
      return lock.isHeldByCurrentThread();
    }
  }
}
