package dev.waymark.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is told to move. */
public final class VirtualClock implements InstantSource {

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
