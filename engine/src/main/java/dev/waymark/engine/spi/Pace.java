package dev.waymark.engine.spi;

import java.time.Duration;

/**
 * The record of how quick the code of one activity type has been in this process.
 *
 * <p>Quick code runs on the engine's own thread, which saves two hand-overs between threads for
 * each step. A type counts as quick after a row of quick runs; one slow run ends that, and each
 * time the row has to be twice as long.
 */
public final class Pace {

  private static final long QUICK = Duration.ofMillis(1).toNanos();
  private static final int SHORTEST_ROW = 16;
  private static final int LONGEST_ROW = 1 << 16;

  private int row = SHORTEST_ROW;
  private volatile int missing = SHORTEST_ROW;

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
        row = Math.min(LONGEST_ROW, missing == 0 ? row * 2 : row);
        missing = row;
      } else if (missing > 0) {
        missing--;
      }
    }
  }
}
