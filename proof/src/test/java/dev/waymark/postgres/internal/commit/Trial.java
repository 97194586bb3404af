package dev.waymark.postgres.internal.commit;

/**
 * A trial of one gate: what is spoiled, and the two effects that are expected.
 *
 * @param subject the unit that the gate has to stop
 * @param spoiled the statement that makes it so, where {@code {id}} is the subject's instance
 * @param elsewhere true if the statement runs in another transaction, which stays open meanwhile
 * @param stops what becomes of the unit
 * @param otherwise what becomes of the same unit once the gate is taken out
 */
record Trial(Subject subject, String spoiled, boolean elsewhere, Effect stops, Effect otherwise) {

  Trial {
    if (stops.equals(otherwise)) {
      throw new IllegalArgumentException(
          "Expected a difference without the gate, but got %s with it and without"
              .formatted(stops));
    }
  }

  static Trial after(String spoiled, Subject subject, Effect stops, Effect otherwise) {
    return new Trial(subject, spoiled, false, stops, otherwise);
  }

  /** A trial during which another transaction holds the row that this selects. */
  static Trial during(String locked, Subject subject) {
    return new Trial(subject, locked, true, Effect.BUSY, Effect.WAITED);
  }
}
