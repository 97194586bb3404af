package dev.waymark.proof.store.postgres;

import dev.waymark.engine.store.CommitResult.Outcome;
import java.util.List;
import java.util.Map;

/**
 * The figures of a stress.
 *
 * @param takeovers claims on a bookmark that had been claimed before
 * @param holds transactions of the application
 */
record StressFigures(
    Map<Outcome, Long> outcomes,
    int takeovers,
    int holds,
    List<String> halfSteps,
    List<String> staleByRow,
    List<String> staleByClaims) {

  /** Units that were committed and spent a fence. */
  long steps() {
    return outcomes.getOrDefault(Outcome.COMMITTED, 0L) - Stress.INSTANCES;
  }

  @Override
  public String toString() {
    return ("%d steps (%s), %d takeovers, %d holds;"
            + " %d half steps; stale fences: %d by row, %d by claims")
        .formatted(
            steps(),
            outcomes,
            takeovers,
            holds,
            halfSteps.size(),
            staleByRow.size(),
            staleByClaims.size());
  }
}
