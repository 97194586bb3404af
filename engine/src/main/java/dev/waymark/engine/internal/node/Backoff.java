package dev.waymark.engine.internal.node;

import java.time.Duration;

/**
 * Pauses that double with each failure, up to a longest one.
 *
 * @param first after the first failure
 */
public record Backoff(Duration first, Duration longest) {

  /** 2 to this power times the first pause is longer than any longest one in use. */
  private static final int MOST_DOUBLINGS = 20;

  public Duration after(long failures) {
    int doublings = Math.clamp(failures - 1, 0, MOST_DOUBLINGS);
    Duration doubled = first.multipliedBy(1L << doublings);
    return doubled.compareTo(longest) < 0 ? doubled : longest;
  }
}
