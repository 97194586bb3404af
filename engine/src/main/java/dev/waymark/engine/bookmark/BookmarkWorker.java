package dev.waymark.engine.bookmark;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers waits with a program instead of a person: claims the waits that it may act on, a few at a
 * time and from one tenant after another, keeps its claims while the handler runs, and answers with
 * the handler's result. A wait whose handler fails is given back with a pause that grows, so that
 * one wait that always fails does not keep the others from being done.
 *
 * <p>A wait of a run that an operator holds is left alone until the run is let go.
 *
 * <p>At least once: a handler whose process dies, or that outlives its lease, is run again.
 */
public interface BookmarkWorker extends AutoCloseable {

  /** The code that answers a wait. */
  @FunctionalInterface
  interface Handler {

    /**
     * The answer to the wait.
     *
     * @throws Exception if it cannot be done now; it is tried again later, here or elsewhere
     */
    Map<String, ? extends @Nullable Object> handle(ClaimedBookmark work) throws Exception;
  }

  /** Claims no more waits; the future completes when the handlers that run have ended. */
  CompletableFuture<Boolean> stop();

  /** The same, and waits for it; a wait whose handler has not ended in time is given back. */
  @Override
  void close();
}
