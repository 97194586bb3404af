package dev.waymark.proof.program;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a program on an engine, read from what the engine tells everybody.
 *
 * @param surprises what went wrong besides, such as an answer that was refused
 */
public record Trace(List<Seen> visits, List<Outcome.Ended> runs, List<String> surprises) {

  /**
   * One visit.
   *
   * @param run which of the program's runs
   * @param began seconds after the start, where history tells
   * @param number the visit's number, which tells the order in which visits began
   * @param first its first entry's place in its run's history
   * @param last the place of the entry that ended it
   * @param ranFirst when its body first ran, and {@code ranLast} when it did last, among all
   *     bodies; 0 if it has none
   */
  public record Seen(
      String flow,
      int run,
      String label,
      String how,
      @Nullable Long began,
      long ended,
      long number,
      int first,
      int last,
      int ranFirst,
      int ranLast) {

    /** Whether this visit's end may have been before the other's begin. */
    boolean endsBeforeBegin(Seen other) {
      boolean bodies = ranLast == 0 || other.ranFirst == 0 || ranLast < other.ranFirst;
      return run == other.run
          ? bodies && number < other.number && last < other.first
          : bodies && (other.began == null || ended <= other.began);
    }

    boolean beginsBeforeBegin(Seen other) {
      return run != other.run || number < other.number;
    }

    boolean endsBeforeEnd(Seen other) {
      return run == other.run ? last < other.last : ended <= other.ended;
    }
  }
}
