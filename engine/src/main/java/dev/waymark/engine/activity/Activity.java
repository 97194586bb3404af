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
   * Does the work, or asks for a wait.
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
   * The JSON Schema of its {@code with}; empty means that every value is accepted. A definition
   * whose {@code with} does not fit is refused on deploy, and a value that does not fit in a run is
   * a fault with code {@code BAD_INPUT}, before the body runs.
   *
   * <p>A {@code title} in it is the text that a fault gives as the expected form.
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
