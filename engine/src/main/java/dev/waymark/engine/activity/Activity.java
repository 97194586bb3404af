package dev.waymark.engine.activity;

import dev.waymark.core.step.Resumption;

/**
 * The work done at activities of one type. Runs outside of any transaction, on a virtual thread; it
 * may be interrupted when its attempt is superseded, and it may run again after a crash, with the
 * same {@link ActivityContext#idempotencyKey()}.
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

  /** Whether it may return {@link ActivityResult.Suspended}: a cycle through it is safe then. */
  default boolean waits() {
    return false;
  }
}
