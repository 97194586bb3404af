package dev.waymark.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that runs again and again, a pause after each run. */
final class Repeat {

  private static final Logger log = LoggerFactory.getLogger(Repeat.class);

  private final Scheduler scheduler;
  private final Duration pause;
  private final Runnable task;
  private Scheduler.@Nullable Pending pending;
  private boolean stopped;

  Repeat(Scheduler scheduler, Duration pause, Runnable task) {
    this.scheduler = scheduler;
    this.pause = pause;
    this.task = task;
  }

  synchronized void start() {
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

  synchronized void stop() {
    stopped = true;
    if (pending != null) {
      pending.cancel();
    }
  }
}
