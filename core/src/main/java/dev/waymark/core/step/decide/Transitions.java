package dev.waymark.core.step.decide;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Step;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every move that a run and its visits can make, by the command that makes it.
 *
 * <p>The table is written down, not derived: wherever assertions are on, a step that makes another
 * move fails. The page on the architecture shows the table, and a test fails when one of its moves
 * is never made by any test.
 */
public final class Transitions {

  /**
   * One move.
   *
   * @param command the word of the command that makes it
   * @param subject {@code run} or {@code visit}
   * @param from a state, or {@code -} if there was nothing before
   * @param to a state, or {@code -} if there is nothing after
   */
  public record StateMove(String command, String subject, String from, String to)
      implements Comparable<StateMove> {

    private static final Comparator<StateMove> ORDER =
        Comparator.comparing(StateMove::subject)
            .thenComparing(StateMove::command)
            .thenComparing(StateMove::from)
            .thenComparing(StateMove::to);

    @Override
    public int compareTo(StateMove other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return "%s: %s %s → %s".formatted(command, subject, from, to);
    }
  }

  static final String NOTHING = "-";

  private static final Set<StateMove> TABLE = parse(TransitionTable.TEXT);

  private Transitions() {}

  /** All of them, in order. */
  public static Collection<StateMove> all() {
    return TABLE;
  }

  /** The moves of a step. */
  public static Set<StateMove> of(@Nullable Instance before, Step step) {
    String command = step.command().word();
    Set<StateMove> moves = new LinkedHashSet<>();
    String was = before == null ? NOTHING : word(before.status());
    String is = word(step.after().status());
    if (!was.equals(is)) {
      moves.add(new StateMove(command, "run", was, is));
    }
    for (ActivityInstance visit : step.begun()) {
      moves.add(new StateMove(command, "visit", NOTHING, word(visit.state())));
    }
    for (ActivityInstance visit : step.changed()) {
      String earlier = state(before, visit.visit());
      String later = word(visit.state());
      if (!earlier.equals(later)) {
        moves.add(new StateMove(command, "visit", earlier, later));
      }
    }
    for (Long visit : step.ended()) {
      moves.add(new StateMove(command, "visit", state(before, visit), NOTHING));
    }
    return moves;
  }

  private static String state(@Nullable Instance before, long visit) {
    ActivityInstance found = before == null ? null : before.activity(visit);
    return found == null ? NOTHING : word(found.state());
  }

  private static String word(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /**
   * True if a decision makes only moves of the table; every test checks it, and production does
   * not.
   */
  static boolean areKnown(@Nullable Instance before, Decision decision) {
    if (decision instanceof Step step) {
      for (StateMove move : of(before, step)) {
        if (!TABLE.contains(move)) {
          throw new IllegalStateException(
              "Expected a move of the transition table, but got %s".formatted(move));
        }
      }
    }
    return true;
  }

  /** Lines of {@code command subject from > to to to}. */
  private static Set<StateMove> parse(String text) {
    Set<StateMove> table = new TreeSet<>();
    text.lines()
        .filter(line -> !line.isBlank())
        .forEach(
            line -> {
              List<String> words = Arrays.asList(line.strip().split(" +", -1));
              for (String to : words.subList(4, words.size())) {
                table.add(new StateMove(words.get(0), words.get(1), words.get(2), to));
              }
            });
    return Collections.unmodifiableSet(table);
  }
}
