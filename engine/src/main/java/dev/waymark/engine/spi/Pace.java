package dev.waymark.engine.spi;

import java.time.Duration;

/**
 * The record of how quick the code of one activity type has been in this process.
 *
 * <p>Quick code runs on the engine's own thread, which saves two hand-overs between threads for
 * each step. A type counts as quick after a row of quick runs. A slow run must be made good by
 * quick ones, in proportion to the time it took: a body whose thread lost its core for some
 * milliseconds, or met a pause of the collector, has not become slow code.
 */
public final class Pace {

  private static final long QUICK = Duration.ofMillis(1).toNanos();

  /** The quick runs before a new type counts as quick. */
  private static final int FIRST_ROW = 16;

  /** The quick runs that make good one millisecond of a slow run. */
  private static final int RUNS_FOR_A_MILLISECOND = 16;

  private static final int MOST_MISSING = 1 << 16;

  private volatile int missing = FIRST_ROW;

  public boolean isQuick() {
    return missing == 0;
  }

  /** Tells of one run. */
  public void took(long nanos) {
    if (nanos <= QUICK && missing == 0) {
      return;
    }
    synchronized (this) {
      if (nanos > QUICK) {
        long more = Math.min(MOST_MISSING, nanos / QUICK * RUNS_FOR_A_MILLISECOND);
        missing = (int) Math.min(MOST_MISSING, missing + more);
      } else if (missing > 0) {
        missing--;
      }
    }
  }
}
