package dev.waymark.engine.bookmark;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers waits with a program instead of a person: claims what it may act on, a few at a time and
 * from one tenant after another, keeps its claims while the handler runs, and answers with what the
 * handler gives. What fails is given back with a pause that grows, so that one wait that always
 * fails does not keep the others from being done.
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

  /** Takes nothing more; ready when what it has begun is done. */
  CompletableFuture<Boolean> stop();

  /** The same, and waits for it; what is not done in time is given back. */
  @Override
  void close();
}
