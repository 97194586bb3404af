package dev.waymark.engine.activity;

import dev.waymark.core.step.Resumption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The work done at activities of one type. Runs outside of any transaction; it may be interrupted
 * when its attempt is superseded, and it may run again after a crash, with the same {@link
 * ActivityContext#idempotencyKey()}.
 *
 * <p>It runs on a virtual thread of its own, or, once runs of its type have taken at most a
 * millisecond for a while, on a thread that it shares with other such code ({@link
 * #sharesThreads}).
 */
@FunctionalInterface
public interface Activity {

  /**
   * Does the work, or says what to wait for.
   *
   * @throws Exception any exception is a failure: retried as the definition says, then parked
   */
  ActivityResult execute(ActivityContext context) throws Exception;

  /**
   * Goes on after one of the bookmarks was consumed. Unless overridden, the answer is the output.
   */
  default ActivityResult resume(ActivityContext context, Resumption resumption) throws Exception {
    return ActivityResult.completed(resumption.payload());
  }

  /**
   * The JSON Schema of what it is given as {@code with}; empty means that anything goes. A
   * definition that gives it something else is refused on deploy, and a value that turns out to be
   * something else in a run is a fault with code {@code BAD_INPUT}, before the body runs.
   *
   * <p>A {@code title} in it is what a fault says was expected.
   */
  default Map<String, @Nullable Object> schema() {
    return Map.of();
  }

  /**
   * Says whether it may run on a thread that it shares with others, also of other tenants, once it
   * has proved quick. Code that leaves something in a {@code ThreadLocal} answers no: else the next
   * one on that thread finds it there.
   */
  default boolean sharesThreads() {
    return true;
  }

  /** True if it may return {@link ActivityResult.Suspended}: a cycle through it is safe then. */
  default boolean waits() {
    return false;
  }
}
