package dev.waymark.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A clock that stands still until it is told to move. */
public final class VirtualClock implements InstantSource {

  private final AtomicInteger kits = new AtomicInteger();
  private volatile Instant now;

  public VirtualClock(Instant start) {
    now = start;
  }

  /** A clock that begins on a Monday morning in winter, far from any change of clocks. */
  public VirtualClock() {
    this(Instant.parse("2026-01-12T09:00:00Z"));
  }

  @Override
  public Instant instant() {
    return now;
  }

  /**
   * The seed of the next kit on this clock. Two engines that drew the same ids would take each
   * other for themselves: after a restart a node would find itself declared dead.
   */
  long nextSeed() {
    return 1 + 7_919L * kits.getAndIncrement();
  }

  public void set(Instant moment) {
    if (moment.isBefore(now)) {
      throw new IllegalArgumentException(
          "Expected a moment at or after " + now + ", but got " + moment);
    }
    now = moment;
  }

  public void advance(Duration by) {
    set(now.plus(by));
  }
}
