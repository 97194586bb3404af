package dev.waymark.engine.spi;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The source of ids that are drawn and not derived: of nodes, and of instances that no caller
 * named. It must never give an id twice, on whatever node: two starts under one id are one start,
 * and two nodes under one id run the same bodies.
 */
@FunctionalInterface
public interface IdSource {

  UUID next();

  /**
   * UUIDv7: 48 bits of milliseconds, then random bits. Time-ordered, so that new rows land at the
   * end of an index.
   */
  static IdSource timeOrdered(InstantSource clock, RandomGenerator random) {
    return () -> {
      long millis = clock.millis();
      long high = (millis << 16) | 0x7000L | (random.nextLong() & 0xfffL);
      long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
      return new UUID(high, low);
    };
  }

  static IdSource timeOrdered(InstantSource clock) {
    return timeOrdered(clock, new SecureRandom());
  }
}
