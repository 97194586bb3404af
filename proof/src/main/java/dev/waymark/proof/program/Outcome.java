package dev.waymark.proof.program;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must come of a program.
 *
 * @param visits every visit, in one of the possible orders
 * @param stuck why the script could not be played to its end, if it could not
 */
public record Outcome(List<Seen> visits, List<Ended> runs, @Nullable String stuck) {

  static final String NOT_STUCK = "played to its end";

  /**
   * One visit. A number's event has two bits: 2n for its begin, 2n+1 for its end, n being the place
   * of the visit in the list.
   *
   * @param how COMPLETED, CANCELLED, OVER or ALIVE
   * @param began seconds after the start
   */
  public record Seen(
      String flow,
      String activity,
      String label,
      String how,
      long began,
      long ended,
      BitSet beforeBegin,
      BitSet beforeEnd) {

    String summary() {
      return "%s %s %s %d-%d".formatted(flow, label, how, began, ended);
    }
  }

  /** How a run ended, or RUNNING or SUSPENDED. */
  public record Ended(
      String flow, String status, @Nullable String code, Map<String, @Nullable Object> variables) {}

  /** Everything but the order, as texts: two outcomes with equal ones are the same. */
  public List<String> summary() {
    return Stream.of(
            visits.stream().map(Seen::summary).sorted(),
            runs.stream().map(Canonical::text).sorted(),
            Stream.of(stuck == null ? NOT_STUCK : stuck))
        .flatMap(lines -> lines)
        .toList();
  }
}
