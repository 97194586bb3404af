package dev.waymark.engine.internal.step;

import dev.waymark.core.step.Step;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Counts the commands of one page of work, and tells when the last has come to its end.
 *
 * <p>A page of which not one command moved its instance would be found again at once; then it is
 * told after a pause, so that trouble with one row does not become a busy loop.
 */
public final class CommandPage {

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Scheduler scheduler;
  private final AtomicInteger open;
  private final AtomicBoolean moved = new AtomicBoolean();
  private final int rest;
  private final Runnable done;

  public CommandPage(Scheduler scheduler, int size, Runnable done) {
    this(scheduler, size, 0, done);
  }

  /**
   * A page that is told as done while some of it is still under way.
   *
   * @param rest how many
   */
  public CommandPage(Scheduler scheduler, int size, int rest, Runnable done) {
    this.scheduler = scheduler;
    this.rest = rest;
    this.open = new AtomicInteger(size);
    this.done = done;
  }

  public Consumer<PendingCommand.Outcome> one() {
    return outcome -> {
      if (outcome.decision() instanceof Step) {
        moved.set(true);
      }
      if (open.decrementAndGet() == rest) {
        if (moved.get()) {
          done.run();
        } else {
          scheduler.after(PAUSE, done);
        }
      }
    };
  }
}
