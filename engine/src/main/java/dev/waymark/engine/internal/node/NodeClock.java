package dev.waymark.engine.internal.node;

import dev.waymark.core.Limits;
import dev.waymark.engine.store.Nodes.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one clock of a process: monotonic time plus the offset to the database's clock, measured at
 * each renewal. A jump of the machine's wall clock does not move it.
 *
 * <p>A measurement knows the offset only up to the time that the question and its answer were under
 * way. The clock shows the latest time that the database's clock may show, so that due times come
 * late by that uncertainty and never early, and it keeps a measurement until a better one comes: a
 * renewal that took long says little. It goes back only after the database's clock was set back by
 * more than {@link Limits#CLOCK_SKEW}: times that this process then gives out must not be of the
 * future for as long as the clock was wrong.
 *
 * <p>It ticks in microseconds, because that is what both databases keep.
 */
public final class NodeClock implements InstantSource, DatabaseTime {

  private static final Logger log = LoggerFactory.getLogger(NodeClock.class);

  /** The largest drift between two clocks: one part in this number. Quartz is ten times better. */
  private static final long DRIFT = 5_000;

  /** A first measurement that leaves more open than this is made again. */
  private static final Duration VAGUE = Limits.CLOCK_SKEW.dividedBy(2);

  private static final int MEASUREMENTS = 5;

  private final LongSupplier nanos;
  private volatile ClockReading reading;

  /**
   * One measurement.
   *
   * @param at the latest that the database's clock may have shown at {@code nanos}
   * @param width by how much it may have been earlier
   * @param floor what this clock has shown before
   */
  private record ClockReading(Instant at, long nanos, Duration width, Instant floor) {

    Instant latest(long now) {
      return at.plusNanos(now - nanos);
    }

    Duration uncertainty(long now) {
      return width.plusNanos((now - nanos) / DRIFT);
    }

    /** True if both measurements can be true. */
    boolean agreesWith(ClockReading other) {
      Instant mine = latest(other.nanos);
      Duration drift = Duration.ofNanos((other.nanos - nanos) / DRIFT);
      return !mine.plus(drift).isBefore(other.at.minus(other.width))
          && !mine.minus(width).minus(drift).isAfter(other.at);
    }
  }

  public NodeClock(InstantSource wall, LongSupplier nanos) {
    this.nanos = nanos;
    // The machine's own clock is as good as none: the first measurement replaces it.
    reading = new ClockReading(wall.instant(), nanos.getAsLong(), Duration.ofDays(1), Instant.MIN);
  }

  @Override
  public void begin(Supplier<Renewal> first, Supplier<Renewal> again) {
    Measurement best = measure(first);
    for (int i = 0; i < MEASUREMENTS && best.reading().width().compareTo(VAGUE) > 0; i++) {
      Measurement next = measure(again);
      best = next.reading().width().compareTo(best.reading().width()) < 0 ? next : best;
    }
    if (best.reading().width().compareTo(VAGUE) > 0) {
      log.warn(
          "Expected to learn the database's time within {}, but each question for it was under way"
              + " for longer. Times of this node may be up to {} ahead",
          VAGUE,
          best.reading().width());
    }
    measured(best.reading());
  }

  @Override
  public Renewal follow(Supplier<Renewal> statement) {
    Measurement measurement = measure(statement);
    measured(measurement.reading());
    return measurement.renewal();
  }

  private record Measurement(Renewal renewal, ClockReading reading) {}

  private Measurement measure(Supplier<Renewal> statement) {
    long asked = nanos.getAsLong();
    Renewal renewal = statement.get();
    Duration roundTrip = Duration.ofNanos(nanos.getAsLong() - asked);
    Duration underWay = roundTrip.minus(renewal.took());
    Duration width = underWay.isNegative() ? Duration.ZERO : underWay;
    return new Measurement(
        renewal, new ClockReading(renewal.databaseTime(), asked, width, Instant.MIN));
  }

  private synchronized void measured(ClockReading fresh) {
    ClockReading known = reading;
    long now = nanos.getAsLong();
    boolean better = fresh.uncertainty(now).compareTo(known.uncertainty(now)) <= 0;
    if (better || !known.agreesWith(fresh)) {
      reading =
          new ClockReading(fresh.at(), fresh.nanos(), fresh.width(), floor(known, fresh, now));
    }
  }

  private Instant floor(ClockReading known, ClockReading fresh, long now) {
    if (known.floor().equals(Instant.MIN)) {
      return fresh.at();
    }
    Instant shown = instant();
    Duration back = Duration.between(fresh.latest(now), shown);
    if (back.compareTo(Limits.CLOCK_SKEW) <= 0 || known.agreesWith(fresh)) {
      return shown;
    }
    log.error("The database's clock was set back by {}; times of before are of the future", back);
    return fresh.at();
  }

  @Override
  public Duration doubt() {
    return reading.width();
  }

  @Override
  public Instant instant() {
    ClockReading last = reading;
    Instant latest = last.latest(nanos.getAsLong());
    Instant shown = latest.isBefore(last.floor()) ? last.floor() : latest;
    return shown.truncatedTo(ChronoUnit.MICROS);
  }
}
