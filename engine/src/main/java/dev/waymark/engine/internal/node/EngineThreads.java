package dev.waymark.engine.internal.node;

import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads for the engine's own tasks: as many as there are cores, and more while some wait for
 * the database.
 *
 * <p>User code that has proved quick may run on them too, on as many as there are cores at a time.
 * It may turn out to be slow nevertheless. So a probe goes through the threads while any is lent:
 * if it has not run after {@link #LOOK}, and no lent thread has come back meanwhile, the pool is
 * left to its user code, and a new one takes its tasks. A pool is not enlarged instead, because it
 * adds a thread only for a task that finds its queue empty, and not for those that wait.
 */
final class EngineThreads {

  private static final Logger log = LoggerFactory.getLogger(EngineThreads.class);
  private static final Duration LOOK = Duration.ofMillis(20);

  /** After this number of looks without quick user code the watch ends. */
  private static final int IDLE_LOOKS = 50;

  /** The highest number of threads that may wait for the database beside those that work. */
  private static final int MOST_WAITING = 256;

  private static final Duration IDLE = Duration.ofSeconds(10);

  private final int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
  private final AtomicInteger names = new AtomicInteger();
  private final AtomicInteger lent = new AtomicInteger();
  private final LongAdder returned = new LongAdder();
  private final List<TaskPool> left = new ArrayList<>();
  private final ScheduledExecutorService timers;
  private final UncaughtExceptionHandler report;
  private volatile TaskPool pool;
  private volatile boolean watched;
  private volatile boolean used;
  private volatile boolean probing;
  private @Nullable ScheduledFuture<?> watch;
  private long returnedBefore;
  private int idleLooks;

  EngineThreads(ScheduledExecutorService timers, UncaughtExceptionHandler report) {
    this.timers = timers;
    this.report = report;
    this.pool = new TaskPool();
  }

  private final class TaskPool extends ForkJoinPool {

    TaskPool() {
      super(
          threads,
          EngineThreads.this::named,
          report,
          true,
          threads,
          threads + MOST_WAITING,
          threads,
          full -> true,
          IDLE.toMillis(),
          TimeUnit.MILLISECONDS);
    }

    /** Gives the tasks that wait here to another pool. */
    void handOver(TaskPool other) {
      List<ForkJoinTask<?>> waiting = new ArrayList<>();
      drainTasksTo(waiting);
      waiting.forEach(other::execute);
    }
  }

  private ForkJoinWorkerThread named(ForkJoinPool owner) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(owner);
    thread.setName("waymark-engine-" + names.incrementAndGet());
    return thread;
  }

  void execute(Runnable task) {
    TaskPool current = pool;
    try {
      current.execute(task);
    } catch (RejectedExecutionException e) {
      if (current == pool) {
        throw e;
      }
      // The current pool was left and closed just now; the new one takes the task.
      pool.execute(task);
    }
  }

  /**
   * Runs user code on the calling thread, if that is one of these and may be lent.
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
      returned.increment();
    }
    return true;
  }

  private boolean isOne(Thread thread) {
    return thread instanceof ForkJoinWorkerThread worker && worker.getPool() == pool;
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
      idleLooks = 0;
      watch =
          timers.scheduleAtFixedRate(
              this::look, LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private synchronized void look() {
    left.removeIf(this::isOver);
    if (probing) {
      leaveIfKept();
      return;
    }
    idleLooks = used ? 0 : idleLooks + 1;
    used = false;
    if (idleLooks >= IDLE_LOOKS && lent.get() == 0 && left.isEmpty()) {
      endWatch();
      return;
    }
    returnedBefore = returned.sum();
    probing = true;
    pool.execute(() -> probing = false);
  }

  private void leaveIfKept() {
    boolean kept = lent.get() > 0 && returned.sum() == returnedBefore;
    returnedBefore = returned.sum();
    if (!kept || left.size() >= threads) {
      return;
    }
    log.warn(
        "Expected activities that have been quick to stay so, but some keep {} threads of the"
            + " engine: others take their place",
        lent.get());
    TaskPool old = pool;
    left.add(old);
    pool = new TaskPool();
    old.handOver(pool);
  }

  /** A task may have come to a pool in the moment in which it was left. */
  private boolean isOver(TaskPool old) {
    old.handOver(pool);
    if (!old.isQuiescent()) {
      return false;
    }
    old.shutdown();
    return true;
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

  synchronized void close() {
    pool.shutdownNow();
    left.forEach(TaskPool::shutdownNow);
  }
}
