package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Instant;

/**
 * The right of one holder to act on one bookmark for a while.
 *
 * <p>The store checks the fence when a lease is spent, never the holder's name: a holder that froze
 * past its deadline may have claimed the same bookmark again since, and only its latest claim may
 * count. A lapsed lease whose fence is still current may be spent: no other holder has claimed
 * since.
 *
 * <p>A fence is a small number that is easy to guess, so it is no proof of the caller's identity:
 * while a lease is live, only the actor who holds it may act with it.
 *
 * @param holder the actor's id; or the id, {@code #} and a further name, where one actor tells
 *     several claims of its own apart
 */
public record Lease(String holder, long fence, Instant until) {

  public Lease {
    Limits.name("a holder", holder);
    requireNonNull(until, "until");
    if (fence < 1) {
      throw new IllegalArgumentException("Expected a fence of 1 or more, but got " + fence);
    }
  }

  /** The holder's name for an actor who tells several claims of its own apart. */
  public static String holder(String actor, String name) {
    return actor + "#" + name;
  }

  /** True if this actor holds it, under its own name or a further one. */
  public boolean isHeldBy(Actor actor) {
    return holder.equals(actor.id()) || holder.startsWith(holder(actor.id(), ""));
  }

  public boolean isLiveAt(Instant moment) {
    return moment.isBefore(until);
  }
}
