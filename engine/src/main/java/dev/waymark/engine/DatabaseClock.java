package dev.waymark.engine;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The one clock of a process: monotonic time plus the offset to the database's clock, measured at
 * each renewal. A jump of the machine's wall clock does not move it.
 *
 * <p>It ticks in microseconds, because that is what both databases keep.
 */
final class DatabaseClock implements InstantSource {

  private volatile Reading reading;

  private record Reading(Instant at, long nanos) {}

  DatabaseClock(InstantSource wall) {
    reading = new Reading(wall.instant(), System.nanoTime());
  }

  void set(Instant databaseTime) {
    reading = new Reading(databaseTime, System.nanoTime());
  }

  @Override
  public Instant instant() {
    Reading last = reading;
    return last.at().plusNanos(System.nanoTime() - last.nanos()).truncatedTo(ChronoUnit.MICROS);
  }
}
