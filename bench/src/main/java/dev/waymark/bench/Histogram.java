package dev.waymark.bench;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often a duration was seen, in buckets of at most 1.6 % of their value. Recording is one
 * atomic increment, so it does not slow down what it measures.
 */
final class Histogram {

  /** Each power of two is divided into 64 buckets. */
  private static final int SHIFT = 6;

  private static final int PER_POWER = 1 << SHIFT;

  private final AtomicLongArray buckets = new AtomicLongArray((Long.SIZE - SHIFT) * PER_POWER);

  void add(long nanos) {
    buckets.incrementAndGet(bucketOf(Math.max(0, nanos)));
  }

  /** The duration that this part of all was not longer than, in milliseconds; NaN without any. */
  double millisAt(double part) {
    long total = 0;
    for (int i = 0; i < buckets.length(); i++) {
      total += buckets.get(i);
    }
    long rank = Math.max(1, (long) Math.ceil(part * total));
    long seen = 0;
    for (int i = 0; i < buckets.length() && total > 0; i++) {
      seen += buckets.get(i);
      if (seen >= rank) {
        return middleOf(i) / 1e6;
      }
    }
    return Double.NaN;
  }

  // Values below 64 have a bucket each; above, the highest bit chooses the power and the six bits
  // after it the bucket.
  private static int bucketOf(long nanos) {
    if (nanos < PER_POWER) {
      return (int) nanos;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - SHIFT;
    return (power + 1) * PER_POWER + (int) ((nanos >>> power) - PER_POWER);
  }

  private static double middleOf(int bucket) {
    if (bucket < PER_POWER) {
      return bucket;
    }
    int power = bucket / PER_POWER - 1;
    long low = (long) (PER_POWER + bucket % PER_POWER) << power;
    return low + ((1L << power) - 1) / 2.0;
  }
}
