package dev.waymark.engine.query;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A time from one moment to before another.
 *
 * @param from absent for since ever
 * @param to absent for open
 */
public record Period(@Nullable Instant from, @Nullable Instant to) {

  public Period {
    if (from != null && to != null && !from.isBefore(to)) {
      throw new IllegalArgumentException(
          "Expected a period that ends after it begins, but got %s to %s".formatted(from, to));
    }
    from = fromTheNextMicro(from);
    to = fromTheNextMicro(to);
  }

  /** Stored moments have no part of a microsecond, so nothing lies between the two. */
  private static @Nullable Instant fromTheNextMicro(@Nullable Instant moment) {
    if (moment == null) {
      return null;
    }
    Instant micro = moment.truncatedTo(ChronoUnit.MICROS);
    return micro.equals(moment) ? moment : micro.plus(1, ChronoUnit.MICROS);
  }
}
