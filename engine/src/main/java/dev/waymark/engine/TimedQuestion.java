package dev.waymark.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question to the store, asked on another thread so that its caller can stop waiting in time. A
 * pool alone waits ten seconds for a connection to a database that is away.
 *
 * <p>A caller that has given up interrupts the thread that asks. So the questions of many callers
 * do not pile up behind a database that hangs.
 */
final class TimedQuestion<T> implements Runnable {

  private final Supplier<T> question;
  private final CompletableFuture<Reply<T>> reply = new CompletableFuture<>();
  private @Nullable Thread runner;
  private boolean givenUp;

  /** The answer, or the fault that came instead of it. */
  private record Reply<T>(@Nullable T answer, @Nullable RuntimeException fault) {}

  private TimedQuestion(Supplier<T> question) {
    this.question = question;
  }

  /**
   * Asks on the caller's own thread, unless the caller says how long it waits. The stores give up
   * sooner than {@link Settings#callTimeout}, and a hand-over between threads is saved.
   *
   * @throws DeadlinePassed if no answer came in time
   */
  static <T> T ask(Scheduler scheduler, Caller caller, Supplier<T> question) {
    Duration atMost = caller.timeout();
    return atMost == null ? question.get() : new TimedQuestion<>(question).ask(scheduler, atMost);
  }

  /** The caller with the time that is left of its own since a moment. */
  static Caller left(Caller caller, Instant since, Instant now) {
    Duration atMost = caller.timeout();
    if (atMost == null || !now.isAfter(since)) {
      return caller;
    }
    Duration left = atMost.minus(Duration.between(since, now));
    return caller.withTimeout(left.isNegative() ? Duration.ZERO : left);
  }

  private T ask(Scheduler scheduler, Duration atMost) {
    scheduler.executeUserCode(this);
    Reply<T> told;
    try {
      told = scheduler.await(reply, atMost);
    } catch (DeadlinePassed e) {
      giveUp();
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

  @Override
  public void run() {
    synchronized (this) {
      if (givenUp) {
        return;
      }
      runner = Thread.currentThread();
    }
    try {
      reply.complete(new Reply<>(question.get(), null));
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

  private synchronized void giveUp() {
    givenUp = true;
    if (runner != null) {
      runner.interrupt();
    }
  }
}
