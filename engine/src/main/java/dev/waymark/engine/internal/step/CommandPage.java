package dev.waymark.engine.internal.step;

import dev.waymark.core.step.Step;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One page of commands. Its end starts a task, which as a rule reads the next page: once, when the
 * commands have come to their end, or when one instance has held the page up for too long.
 */
public final class CommandPage {

  /** After this time a command without an outcome no longer holds up the next page. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Scheduler scheduler;
  private final Runnable next;
  private Scheduler.@Nullable Pending limit;
  private boolean ended;

  /**
   * @param next run by the scheduler, never by the thread that brings the last outcome
   */
  public CommandPage(Scheduler scheduler, Runnable next) {
    this.scheduler = scheduler;
    this.next = next;
  }

  /** A task to run once for each of this number of commands, successful or not. */
  public Runnable each(int commands) {
    AtomicInteger open = new AtomicInteger(commands);
    return () -> {
      if (open.decrementAndGet() == 0) {
        end();
      }
    };
  }

  /** A listener for the outcomes of this number of commands. */
  public Consumer<PendingCommand.Outcome> outcomes(int commands) {
    return outcomes(commands, 0);
  }

  /**
   * The same for a page that ends while some of its commands are still under way.
   *
   * <p>A page of which not one command moved its instance would be found again at once. It ends
   * after a pause, so that trouble with one row does not become a busy loop.
   *
   * @param rest how many commands may still be under way when it ends
   */
  public Consumer<PendingCommand.Outcome> outcomes(int commands, int rest) {
    AtomicInteger open = new AtomicInteger(commands);
    AtomicBoolean moved = new AtomicBoolean();
    return outcome -> {
      if (outcome.decision() instanceof Step) {
        moved.set(true);
      }
      if (open.decrementAndGet() == rest) {
        if (moved.get()) {
          end();
        } else {
          scheduler.after(PAUSE, this::end);
        }
      }
    };
  }

  /** Ends it, if it has not ended yet. */
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

  /** Ends it after {@link #PATIENCE} at the latest. Called when all its commands are posted. */
  public void limit() {
    limit(PATIENCE);
  }

  /** The same for a reader of pages that knows which of its commands are still under way. */
  public synchronized void limit(Duration patience) {
    if (!ended) {
      limit = scheduler.after(patience, this::end);
    }
  }
}
