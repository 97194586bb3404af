package dev.waymark.engine.internal.step;

import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One page of work. The next begins when it has ended, or when one instance holds it up. */
public final class PageTurn {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Scheduler scheduler;
  private final Runnable next;
  private Scheduler.@Nullable Pending limit;
  private boolean ended;

  public PageTurn(Scheduler scheduler, Runnable next) {
    this.scheduler = scheduler;
    this.next = next;
  }

  /** Ends when this was run once for each of so many commands, whatever became of them. */
  public Runnable each(int commands) {
    AtomicInteger open = new AtomicInteger(commands);
    return () -> {
      if (open.decrementAndGet() == 0) {
        end();
      }
    };
  }

  public void end() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      if (limit != null) {
        limit.cancel();
      }
    }
    scheduler.execute(next);
  }

  public synchronized void limit() {
    if (!ended) {
      limit = scheduler.after(PATIENCE, this::end);
    }
  }
}
