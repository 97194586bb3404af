package dev.waymark.postgres.internal.sql;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Time as PostgreSQL keeps it: microseconds. Smaller parts are cut off. */
public final class Micros {

  private Micros() {}

  public static @Nullable Long ofNullable(@Nullable Instant instant) {
    return instant == null ? null : of(instant);
  }

  public static long of(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000L);
  }

  /**
   * For due times, which may come late but never early: a part of a microsecond counts as a whole
   * one.
   */
  static @Nullable Long roundedUp(@Nullable Instant due) {
    return due == null ? null : of(roundUp(due));
  }

  public static Instant roundUp(Instant due) {
    return due.plusNanos(999).truncatedTo(ChronoUnit.MICROS);
  }

  public static long of(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000L);
  }

  public static OffsetDateTime toDatabase(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }
}
