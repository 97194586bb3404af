package dev.waymark.sqlite.internal.file;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as the integers that SQLite compares: microseconds since 1970. */
public final class Micros {

  /** Stands for a due time that there is not: it sorts behind all that there can be. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long PER_SECOND = 1_000_000;

  private Micros() {}

  public static long of(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), PER_SECOND), instant.getNano() / 1_000);
  }

  public static long of(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), PER_SECOND), duration.getNano() / 1_000);
  }

  /**
   * For due times, which may come late but never early: a part of a microsecond counts as a whole
   * one.
   */
  static long roundedUp(Instant instant) {
    return of(instant.plusNanos(999));
  }

  static Instant toInstant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
