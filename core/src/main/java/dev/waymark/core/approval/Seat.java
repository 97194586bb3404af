package dev.waymark.core.approval;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;

/**
 * One voice in an approval: a user's own, or one that any member of a group may use.
 *
 * @param weight its weight where weights are counted
 * @param veto whether its rejection ends the approval, whatever others say
 */
public record Seat(Party party, int weight, boolean veto) {

  public Seat {
    requireNonNull(party, "party");
    if (weight < 1 || weight > Limits.SEAT_WEIGHT) {
      throw new IllegalArgumentException(
          "Expected a weight from 1 to %,d for %s, but got %d"
              .formatted(Limits.SEAT_WEIGHT, party, weight));
    }
  }

  public static Seat of(String party) {
    return new Seat(Party.of(party), 1, false);
  }
}
