package dev.waymark.proof.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Looks again and again until something is as it should be, or a deadline has passed. */
public final class Soon {

  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private Soon() {}

  /** What was looked at, once it is as wanted. */
  public static <T> T until(Duration atMost, Callable<T> look, Predicate<T> wanted)
      throws Exception {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      T seen = look.call();
      if (wanted.test(seen)) {
        return seen;
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(
            "Expected something else within %s, but it is %s".formatted(atMost, seen));
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }
}
