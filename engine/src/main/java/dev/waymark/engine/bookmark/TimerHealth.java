package dev.waymark.engine.bookmark;

import dev.waymark.core.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The health of timers, which is good if they fire when they are due. They fire by themselves, and
 * late ones as soon as a node gets to them; so one that stays late is not a matter of its run, but
 * of the nodes.
 *
 * @param next when the first open timer of all tenants is due, past or future; absent if there is
 *     none
 * @param late by how much that one is late; zero if it is not
 */
public record TimerHealth(@Nullable Instant next, Duration late) {

  public static TimerHealth at(Instant now, @Nullable Instant next) {
    return new TimerHealth(
        next, next == null || next.isAfter(now) ? Duration.ZERO : Duration.between(next, now));
  }

  /** A timer may be on its way to fire; from {@link Limits#TIMER_LATE} on it is not. */
  public boolean isHealthy() {
    return late.compareTo(Limits.TIMER_LATE) < 0;
  }

  /** The warning for operators, in words; absent if all is well. */
  public Optional<String> warning() {
    return isHealthy()
        ? Optional.empty()
        : Optional.of(
            "A timer is overdue by %s, since %s: check the health of the nodes. Does one run, does it keep up, and is its clock right?"
                .formatted(late, next));
  }
}
