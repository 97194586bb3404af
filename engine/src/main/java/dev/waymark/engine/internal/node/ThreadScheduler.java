package dev.waymark.engine.internal.node;

import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.spi.Pace;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler of production. The only class of the engine that owns threads or waits for
 * anything.
 *
 * <p>The engine's own tasks run on platform threads ({@link EngineThreads}). User code runs on
 * virtual threads, whose carriers it shares with everything else of the process: bodies that
 * compute on all of them keep other bodies waiting, and nothing else. Only bodies that have proved
 * quick run on the engine's threads.
 */
public final class ThreadScheduler implements Scheduler {

  private static final Logger log = LoggerFactory.getLogger(ThreadScheduler.class);

  private final EngineThreads tasks;
  private final ExecutorService userCode =
      Executors.newThreadPerTaskExecutor(
          Thread.ofVirtual().name("waymark-", 0).uncaughtExceptionHandler(this::report).factory());
  private final ScheduledThreadPoolExecutor timers;
  private final List<ExecutorService> lanes = new CopyOnWriteArrayList<>();
  private final CarrierWatch carriers = new CarrierWatch();
  private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

  private volatile boolean closed;

  public ThreadScheduler() {
    timers =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("waymark-timer").factory());
    timers.setRemoveOnCancelPolicy(true);
    timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    tasks = new EngineThreads(timers, this::report);
    long every = CarrierWatch.EVERY.toNanos();
    var unused = timers.scheduleAtFixedRate(carriers::look, every, every, TimeUnit.NANOSECONDS);
  }

  @Override
  public void execute(Runnable task) {
    try {
      tasks.execute(task);
    } catch (RejectedExecutionException e) {
      log.debug("A task came after the scheduler was closed", e);
    }
  }

  @Override
  public void enter(Runnable task) {
    if (Thread.currentThread().isVirtual()) {
      execute(task);
    } else {
      task.run();
    }
  }

  @Override
  public void executeUserCode(Runnable task) {
    carriers.submitted();
    try {
      userCode.execute(
          () -> {
            carriers.begun();
            withLoader(task);
          });
    } catch (RejectedExecutionException e) {
      carriers.begun();
      log.debug("User code came after the scheduler was closed", e);
    }
  }

  @Override
  public void executeUserCode(Runnable task, Pace pace) {
    if (!pace.isQuick() || !tasks.lend(() -> timed(task, pace))) {
      executeUserCode(() -> timed(task, pace));
    }
  }

  private void timed(Runnable task, Pace pace) {
    long began = System.nanoTime();
    try {
      withLoader(task);
    } finally {
      pace.took(System.nanoTime() - began);
    }
  }

  /**
   * In application servers and fat jars, services are found only by the class loader of the thread
   * that builds the engine.
   */
  private void withLoader(Runnable userCode) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      userCode.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  public Pending after(Duration delay, Runnable task) {
    try {
      var future =
          timers.schedule(() -> execute(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      log.debug("A timer came after the scheduler was closed", e);
      return () -> {};
    }
  }

  @Override
  public Lane lane(String name) {
    ExecutorService lane =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform()
                .daemon()
                .name("waymark-" + name)
                .uncaughtExceptionHandler(this::report)
                .factory());
    lanes.add(lane);
    return task -> {
      try {
        lane.execute(task);
      } catch (RejectedExecutionException e) {
        log.debug("A task for lane {} came after the scheduler was closed", name, e);
      }
    };
  }

  @Override
  public <T> T await(CompletableFuture<T> future, Duration atMost) {
    if (closed && !future.isDone()) {
      throw EngineException.closed();
    }
    try {
      return future.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new DeadlinePassed("Expected an answer within " + atMost + ", but none came", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeadlinePassed("Expected an answer, but the waiting thread was interrupted", e);
    } catch (ExecutionException e) {
      throw EngineException.unwrap(e.getCause());
    }
  }

  private void report(Thread thread, Throwable fault) {
    log.error("A task ended with a fault of ours on {}", thread.getName(), fault);
  }

  @Override
  public void close() {
    closed = true;
    timers.shutdownNow();
    lanes.forEach(ExecutorService::shutdown);
    tasks.close();
    userCode.shutdownNow();
  }
}
