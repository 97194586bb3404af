package dev.waymark.engine.internal.node;

import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that runs again and again, a pause after each run. */
public final class RepeatingTask {

  private static final Logger log = LoggerFactory.getLogger(RepeatingTask.class);

  private final Scheduler scheduler;
  private final Duration pause;
  private final Runnable task;
  private Scheduler.@Nullable Pending pending;
  private boolean stopped;

  public RepeatingTask(Scheduler scheduler, Duration pause, Runnable task) {
    this.scheduler = scheduler;
    this.pause = pause;
    this.task = task;
  }

  public synchronized void start() {
    if (!stopped) {
      pending = scheduler.after(pause, this::run);
    }
  }

  private void run() {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      log.error("A regular task failed with a fault of ours; it goes on", e);
    } finally {
      start();
    }
  }

  public synchronized void stop() {
    stopped = true;
    if (pending != null) {
      pending.cancel();
    }
  }
}
