package dev.waymark.core.definition;

import java.time.Duration;

/**
 * The number of times that a body may fail, and the time to wait between tries. The waiting is a
 * row with a due time, not a sleeping thread.
 *
 * @param attempts tries in all, the first included
 * @param backoff the wait after the first failure; it doubles with every further one
 * @param maxBackoff the longest wait
 * @param jitter the share of the delay that varies, 0 to 1
 */
public record RetryPolicy(int attempts, Duration backoff, Duration maxBackoff, double jitter) {

  public static final RetryPolicy DEFAULT =
      new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofSeconds(30), 0.2);

  /** The most attempts that a definition may say. */
  public static final int MAX_ATTEMPTS = 1_000;

  public RetryPolicy {
    if (attempts < 1 || attempts > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "Expected 1 to %d attempts, but got %d".formatted(MAX_ATTEMPTS, attempts));
    }
    if (backoff.isNegative() || maxBackoff.compareTo(backoff) < 0) {
      throw new IllegalArgumentException(
          "Expected 0 ≤ backoff ≤ maxBackoff, but got %s and %s".formatted(backoff, maxBackoff));
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("Expected a jitter of 0 to 1, but got " + jitter);
    }
  }

  /**
   * The pause after this number of failures: doubled each time, up to the maximum.
   *
   * @param spread a number that varies between visits; it decides where in the jitter's range the
   *     delay falls, so that deciding twice gives the same due time
   */
  public Duration delayAfter(int failures, long spread) {
    double doubled = (double) backoff.toMillis() * Math.pow(2, Math.min(failures - 1, 40));
    double capped = Math.min(doubled, (double) maxBackoff.toMillis());
    double position = ((spread >>> 11) * 0x1.0p-53) * 2 - 1;
    return Duration.ofMillis(Math.round(capped * (1 + jitter * position)));
  }
}
