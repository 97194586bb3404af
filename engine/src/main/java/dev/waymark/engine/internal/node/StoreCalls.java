package dev.waymark.engine.internal.node;

import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.Settings;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of the store that are safe to repeat. Each is made in a task of the engine, and repeated
 * while its fault is transient: a lost connection, a restart, a lock. So the engine handles a lost
 * connection, and not its caller.
 *
 * <p>Never for a call that takes part in a transaction of the caller: that transaction is gone with
 * its connection.
 */
public final class StoreCalls {

  private static final Logger log = LoggerFactory.getLogger(StoreCalls.class);

  /** The pauses between tries to reach a database that is away, or rows that are held. */
  public static final Backoff BACKOFF = new Backoff(Duration.ofMillis(1), Duration.ofMillis(500));

  private final ThisNode node;
  private final Scheduler scheduler;
  private final TimedQuestions questions;
  private final Set<CompletableFuture<?>> outstanding = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** One call of the store, or a few that belong together. */
  public interface RepeatableCall<T> {

    /**
     * Makes it once.
     *
     * @param again whether an earlier try may have been carried out although its answer was lost:
     *     then this one has to recognise what that one did
     */
    @Nullable T make(boolean again);
  }

  public StoreCalls(ThisNode node) {
    this.node = node;
    this.scheduler = node.scheduler();
    this.questions = new TimedQuestions(scheduler);
  }

  /** The time of a caller who says how long it waits, or else {@link Settings#callTimeout}. */
  public Patience patience(Caller caller) {
    Duration timeout = caller.timeout();
    return timeout == null
        ? new Patience(this, node, node.settings().callTimeout(), false)
        : new Patience(this, node, timeout, true);
  }

  /** {@link Settings#callTimeout}, kept as if a caller had said it. */
  public Patience patience() {
    return new Patience(this, node, node.settings().callTimeout(), true);
  }

  /** For one part of a verb whose caller does not say how long it waits for all parts. */
  public Patience patience(Duration atMost) {
    return new Patience(this, node, atMost, false);
  }

  /** A call that reads or is safe to repeat, for a verb that has no caller. */
  public <T> T read(Supplier<T> question) {
    return patience(node.settings().callTimeout()).read(question);
  }

  TimedQuestions questions() {
    return questions;
  }

  /**
   * Makes a call until it succeeds, fails for good, or its time is over. If the future is completed
   * by another, the call is not made again.
   */
  public <T> CompletableFuture<Optional<T>> submit(Instant until, RepeatableCall<T> call) {
    Tries<T> tries = new Tries<>(call, until);
    scheduler.execute(tries::next);
    return tries.answer;
  }

  private final class Tries<T> {
    final RepeatableCall<T> call;
    final Instant until;
    final CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
    int failed;
    boolean again;
    private @Nullable Thread runner;

    Tries(RepeatableCall<T> call, Instant until) {
      this.call = call;
      this.until = until;
      var unused = answer.whenComplete((found, fault) -> giveUp());
    }

    /** A call that no caller waits for any more must not keep a thread of the engine. */
    private synchronized void giveUp() {
      if (runner != null && answer.isCancelled()) {
        runner.interrupt();
      }
    }

    private synchronized void runs(@Nullable Thread thread) {
      runner = thread;
      if (thread == null) {
        // An interrupt that came too late must not hit whatever this thread does next.
        var unused = Thread.interrupted();
      }
    }

    private @Nullable T made() {
      runs(Thread.currentThread());
      try {
        return call.make(again);
      } finally {
        runs(null);
      }
    }

    void next() {
      if (answer.isDone()) {
        return;
      }
      try {
        answer.complete(Optional.ofNullable(made()));
      } catch (RuntimeException | Error e) {
        if (!StoreException.isPassing(e) || !node.now().isBefore(until)) {
          answer.completeExceptionally(e);
          return;
        }
        log.debug("A call of the store failed; making it again", e);
        again |= isUnknown(e);
        scheduler.after(pause(failed++), this::next);
      }
    }
  }

  private static boolean isUnknown(Throwable fault) {
    return fault instanceof StoreException store
        && store.kind() == StoreException.Kind.UNKNOWN_OUTCOME;
  }

  /** The first repeat comes at once, on another connection; then as after a lost commit. */
  public static Duration pause(int failed) {
    return failed == 0 ? Duration.ZERO : BACKOFF.after(failed);
  }

  // ---- the end

  /** From now on every caller is told that the engine is closed, also those that wait already. */
  public void close() {
    closed = true;
    outstanding.forEach(answer -> answer.completeExceptionally(EngineException.closed()));
  }

  public void refuseIfClosed() {
    if (closed) {
      throw EngineException.closed();
    }
  }

  /** Ends an answer that a caller waits for when the engine is closed. */
  @SuppressWarnings("CollectionUndefinedEquality")
  public // An answer is itself alone, as is meant here.
  <T> CompletableFuture<T> endsWithEngine(CompletableFuture<T> answer) {
    outstanding.add(answer);
    var unused = answer.whenComplete((value, fault) -> outstanding.remove(answer));
    if (closed) {
      answer.completeExceptionally(EngineException.closed());
    }
    return answer;
  }
}
