package dev.waymark.sqlite.internal.file;

import dev.waymark.sqlite.internal.file.SharedSession.SessionTask;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The seats for reading, and the order in which they are taken.
 *
 * <p>A thread that waits takes any seat: while each waited for one certain seat, others took it
 * again and again, and one page of an inbox in a hundred took 177 ms instead of 0.8. A thread that
 * arrives takes a free seat at once, before the waiting threads: in a strict order each seat stands
 * empty until the next thread has woken up, and half of the pages took 6 ms. But one of several
 * arriving threads stands in line with the others, so that no thread waits for ever: one page in a
 * hundred took 21 ms without that, 17 with one in eight, 12 with one in three.
 */
final class Readers {

  /** One of this number of arriving threads stands in line. */
  private static final int IN_LINE = 3;

  private final List<SharedSession> seats;
  private final Semaphore free;
  private final AtomicInteger takers = new AtomicInteger();

  Readers(List<SharedSession> seats) {
    this.seats = seats;
    this.free = new Semaphore(seats.size(), true);
  }

  boolean isEmpty() {
    return seats.isEmpty();
  }

  /** Reads on one snapshot. */
  <T> T read(SessionTask<T> task) {
    SharedSession seat = take();
    try {
      return seat.transaction("begin", task);
    } finally {
      seat.leave();
      free.release();
    }
  }

  private SharedSession take() {
    boolean inLine = takers.incrementAndGet() % IN_LINE == 0;
    if (inLine || !free.tryAcquire()) {
      free.acquireUninterruptibly();
    }
    for (SharedSession seat : seats) {
      if (seat.tryTake()) {
        return seat;
      }
    }
    free.release();
    throw new IllegalStateException("Expected a free seat for reading, but all are taken");
  }

  void close() {
    seats.forEach(SharedSession::close);
  }
}
