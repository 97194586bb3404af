package dev.waymark.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that end together; what one of them throws is not lost. */
final class Crew {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** One worker alone may have a lot to do. */
  private static final Duration PATIENCE_WITH_WORK = Duration.ofMinutes(15);

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> trouble = new AtomicReference<>();

  /** What a member does. */
  interface Work {
    void run() throws Exception;
  }

  /** So many threads do the same; returns when all of them have done it. */
  static void allDo(int members, Work work) throws InterruptedException {
    Crew crew = new Crew();
    for (int i = 0; i < members; i++) {
      crew.add(Thread.ofPlatform().daemon().name("worker-" + i), work);
    }
    crew.start();
    crew.join(PATIENCE_WITH_WORK);
  }

  void add(Thread.Builder kind, Work work) {
    threads.add(kind.unstarted(() -> attempt(work)));
  }

  private void attempt(Work work) {
    try {
      work.run();
    } catch (Exception | Error e) {
      trouble.compareAndSet(null, e);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  boolean hasTrouble() {
    return trouble.get() != null;
  }

  /** Waits for all of them to end, which they do soon. */
  void join() throws InterruptedException {
    join(PATIENCE);
  }

  private void join(Duration atMost) throws InterruptedException {
    long patience = System.nanoTime() + atMost.toNanos();
    for (Thread thread : threads) {
      // After the first trouble the others may wait for what never comes.
      while (thread.isAlive() && !hasTrouble() && System.nanoTime() < patience) {
        var unused = thread.join(Duration.ofMillis(100));
      }
    }
    Throwable first = trouble.get();
    if (first != null) {
      throw new IllegalStateException("A client failed", first);
    }
    if (threads.stream().anyMatch(Thread::isAlive)) {
      throw new IllegalStateException(
          "Expected all clients to end within %s, but they did not".formatted(atMost));
    }
  }
}
