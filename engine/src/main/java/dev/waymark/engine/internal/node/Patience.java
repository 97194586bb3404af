package dev.waymark.engine.internal.node;

import static java.util.Objects.requireNonNull;

import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.Settings;
import dev.waymark.engine.internal.node.StoreCalls.RepeatableCall;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time that one caller gives to one verb, and the waiting that is done in it.
 *
 * <p>All waiting of a verb shares one deadline. A thread that holds the one writer of a store does
 * not wait: the awaited work could need that writer.
 */
public final class Patience {

  private final StoreCalls calls;
  private final ThisNode node;
  private final Duration atMost;
  private final Instant deadline;
  private final boolean stated;

  /**
   * @param stated whether the caller itself says how long it waits
   */
  Patience(StoreCalls calls, ThisNode node, Duration atMost, boolean stated) {
    this.calls = calls;
    this.node = node;
    this.atMost = atMost;
    this.stated = stated;
    this.deadline = node.now().plus(atMost);
  }

  public Instant deadline() {
    return deadline;
  }

  public boolean isOver() {
    return node.now().isAfter(deadline);
  }

  /**
   * Waits for an answer; if it does not come in time, it is cancelled.
   *
   * @param ask begins the work that is waited for; not called if this thread must not wait
   */
  public <T> T await(Supplier<CompletableFuture<T>> ask) {
    node.store().refuseToWaitHere();
    calls.refuseIfClosed();
    CompletableFuture<T> answer = calls.endsWithEngine(ask.get());
    try {
      return node.scheduler().await(answer, left());
    } catch (DeadlinePassed e) {
      answer.cancel(false);
      throw e;
    } catch (EngineException e) {
      // The kind of the fault says whether anything was written.
      throw e.getCause() instanceof StoreException fault ? fault : e;
    }
  }

  private Duration left() {
    Duration left = Duration.between(node.now(), deadline);
    return left.isNegative() ? Duration.ZERO : left.compareTo(atMost) > 0 ? atMost : left;
  }

  /** Makes a call of the store that is safe to repeat. */
  public <T> T call(RepeatableCall<T> call) {
    return requireNonNull(find(call), "answer");
  }

  /** The same for a call that may give nothing. */
  public <T> @Nullable T find(RepeatableCall<T> call) {
    Optional<T> found = await(() -> calls.submit(deadline, call));
    return found.orElse(null);
  }

  /**
   * Reads. A caller who does not say how long it waits is answered on its own thread: the stores
   * give up sooner than {@link Settings#callTimeout}, and a hand-over between threads is saved.
   * After a lost connection the question is asked again.
   */
  public <T> T read(Supplier<T> question) {
    calls.refuseIfClosed();
    try {
      return stated ? calls.questions().ask(left(), question) : question.get();
    } catch (RuntimeException e) {
      calls.refuseIfClosed();
      if (!StoreException.isPassing(e)) {
        throw e;
      }
    }
    return call(again -> question.get());
  }
}
