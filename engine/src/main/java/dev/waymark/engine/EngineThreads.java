package dev.waymark.engine;

import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads for the engine's own tasks: as many as there are cores, and more while some wait for
 * the database.
 *
 * <p>User code that has proved quick may run on them too. It may turn out to be slow all the same:
 * then, while no thread is free to run a task within {@link #LOOK}, one more thread is added at a
 * time, which is not lent. They leave again when tasks have begun at once for a while.
 */
final class EngineThreads {

  private static final Duration LOOK = Duration.ofMillis(20);

  /** After so many looks without trouble a thread leaves; and the watch ends after so many idle. */
  private static final int CALM = 50;

  /** How many threads may wait for the database beside those that work. */
  private static final int MOST_WAITING = 256;

  private static final Duration IDLE = Duration.ofSeconds(10);

  private final int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
  private final AtomicInteger names = new AtomicInteger();
  private final ForkJoinPool pool;
  private final ScheduledExecutorService timers;
  private @Nullable ScheduledFuture<?> watch;
  private volatile boolean watched;
  private volatile boolean used;
  private final AtomicInteger lent = new AtomicInteger();
  private volatile boolean probing;
  private int added;
  private int smooth;
  private int unused;

  EngineThreads(ScheduledExecutorService timers, UncaughtExceptionHandler report) {
    this.timers = timers;
    this.pool =
        new ForkJoinPool(
            threads,
            this::named,
            report,
            true,
            threads,
            2 * threads + MOST_WAITING,
            threads,
            full -> true,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private ForkJoinWorkerThread named(ForkJoinPool owner) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(owner);
    thread.setName("waymark-engine-" + names.incrementAndGet());
    return thread;
  }

  void execute(Runnable task) {
    pool.execute(task);
  }

  private boolean isOne(Thread thread) {
    return thread instanceof ForkJoinWorkerThread worker && worker.getPool() == pool;
  }

  /**
   * Runs user code on the calling thread, if that is one of these and may be lent. Not more of them
   * are lent at a time than there were at first: those that are added are for the engine alone.
   *
   * @return false if it was not run
   */
  boolean lend(Runnable userCode) {
    if (!isOne(Thread.currentThread()) || !take()) {
      return false;
    }
    used = true;
    if (!watched) {
      beginWatch();
    }
    try {
      userCode.run();
    } finally {
      lent.decrementAndGet();
    }
    return true;
  }

  private boolean take() {
    if (lent.incrementAndGet() <= threads) {
      return true;
    }
    lent.decrementAndGet();
    return false;
  }

  private synchronized void beginWatch() {
    if (!watched && !timers.isShutdown()) {
      watched = true;
      unused = 0;
      watch =
          timers.scheduleAtFixedRate(
              this::look, LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private synchronized void look() {
    if (probing) {
      smooth = 0;
      resize(Math.min(threads, added + 1));
      // A thread is added for a task that comes, not for those that wait already.
      pool.execute(() -> {});
      return;
    }
    unused = used ? 0 : unused + 1;
    used = false;
    // A thread that was lent for long is the reason for one that was added.
    if (added > lent.get() && ++smooth >= CALM) {
      smooth = 0;
      resize(added - 1);
    }
    if (added == 0 && lent.get() == 0 && unused >= CALM) {
      endWatch();
      return;
    }
    probing = true;
    pool.execute(() -> probing = false);
  }

  private void resize(int more) {
    if (more != added) {
      added = more;
      var unused = pool.setParallelism(threads + added);
    }
  }

  private void endWatch() {
    if (watch != null) {
      watch.cancel(false);
    }
    watched = false;
    if (used) {
      beginWatch();
    }
  }

  void close() {
    pool.shutdownNow();
  }
}
