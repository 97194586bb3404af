package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Instant;

/**
 * The right of one holder to act on one bookmark for a while.
 *
 * <p>The store checks the fence when a lease is spent, never the holder's name: a holder that froze
 * past its deadline may have claimed the same bookmark again since, and only its latest claim may
 * count. A lapsed lease whose fence is still current may be spent: nobody else has begun.
 */
public record Lease(String holder, long fence, Instant until) {

  public Lease {
    Limits.name("a holder", holder);
    requireNonNull(until, "until");
    if (fence < 1) {
      throw new IllegalArgumentException("Expected a fence of 1 or more, but got " + fence);
    }
  }

  public boolean isLiveAt(Instant moment) {
    return moment.isBefore(until);
  }
}
