package dev.waymark.engine.internal.node;

import dev.waymark.core.Limits;
import dev.waymark.engine.Caller;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.sql.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions to the store, asked in tasks of the engine so that their callers can stop waiting in
 * time. A pool alone waits ten seconds for a connection to a database that is away.
 *
 * <p>A caller that has given up interrupts the thread that asks, and only {@link
 * Limits#TIMED_QUESTIONS} are asked at a time. So a database that hangs does not take all threads
 * of the engine.
 */
public final class TimedQuestions {

  private final Scheduler scheduler;
  private final Deque<TimedQuestion<?>> waiting = new ArrayDeque<>();
  private int asked;

  TimedQuestions(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The caller with the time that is left of its own since a moment. */
  public static Caller left(Caller caller, Instant since, Instant now) {
    Duration atMost = caller.timeout();
    if (atMost == null || !now.isAfter(since)) {
      return caller;
    }
    Duration left = atMost.minus(Duration.between(since, now));
    return caller.withTimeout(left.isNegative() ? Duration.ZERO : left);
  }

  /**
   * Asks in a task; inside a transaction the question stays on its thread.
   *
   * @throws DeadlinePassed if no answer came in time
   */
  <T> T ask(Duration atMost, Supplier<T> supplier) {
    if (StoreCall.isInTransaction()) {
      return supplier.get();
    }
    TimedQuestion<T> question = new TimedQuestion<>(supplier);
    begin(question);
    Reply<T> told;
    try {
      told = scheduler.await(question.reply, atMost);
    } catch (DeadlinePassed e) {
      giveUp(question);
      throw e;
    }
    if (told.fault() != null) {
      throw told.fault();
    }
    return answer(told);
  }

  @SuppressWarnings("NullAway") // A question gives an answer or throws.
  private static <T> T answer(Reply<T> told) {
    return told.answer();
  }

  private void begin(TimedQuestion<?> question) {
    synchronized (this) {
      if (asked == Limits.TIMED_QUESTIONS) {
        waiting.add(question);
        return;
      }
      asked++;
    }
    scheduler.execute(() -> run(question));
  }

  private void run(TimedQuestion<?> question) {
    try {
      question.run();
    } finally {
      TimedQuestion<?> next;
      synchronized (this) {
        next = waiting.poll();
        if (next == null) {
          asked--;
        }
      }
      if (next != null) {
        scheduler.execute(() -> run(next));
      }
    }
  }

  private void giveUp(TimedQuestion<?> question) {
    synchronized (this) {
      waiting.remove(question);
    }
    question.giveUp();
  }

  /** The answer, or the fault that came instead of it. */
  private record Reply<T>(@Nullable T answer, @Nullable RuntimeException fault) {}

  private static final class TimedQuestion<T> implements Runnable {

    private final Supplier<T> supplier;
    private final CompletableFuture<Reply<T>> reply = new CompletableFuture<>();
    private @Nullable Thread runner;
    private boolean givenUp;

    TimedQuestion(Supplier<T> supplier) {
      this.supplier = supplier;
    }

    @Override
    public void run() {
      synchronized (this) {
        if (givenUp) {
          return;
        }
        runner = Thread.currentThread();
      }
      try {
        reply.complete(new Reply<>(supplier.get(), null));
      } catch (RuntimeException fault) {
        reply.complete(new Reply<>(null, fault));
      } catch (Error fault) {
        reply.completeExceptionally(fault);
      } finally {
        synchronized (this) {
          runner = null;
        }
        // An interrupt that came too late must not hit whatever this thread does next.
        var unused = Thread.interrupted();
      }
    }

    synchronized void giveUp() {
      givenUp = true;
      if (runner != null) {
        runner.interrupt();
      }
    }
  }
}
