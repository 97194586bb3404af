package dev.waymark.core.approval;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.time.Lapse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One rung of an escalation ladder: the people who are asked as well when the wait is still open
 * after this time.
 *
 * @param after counted from when the wait began, not from the rung below
 */
public record Rung(Lapse after, List<Party> to) {

  public Rung {
    requireNonNull(after, "after");
    to = List.copyOf(to);
    if (to.isEmpty()) {
      throw new IllegalArgumentException("Expected somebody to escalate to, but got nobody");
    }
  }

  /** The ladder that an {@code escalate} says, the lowest rung first. */
  public static List<Rung> ladder(@Nullable Object escalate) {
    List<Rung> ladder =
        Given.objects("escalate", escalate).stream()
            .map(rung -> new Rung(Given.lapse("after", rung.get("after")), parties(rung)))
            .collect(Collectors.toList());
    for (int i = 1; i < ladder.size(); i++) {
      if (ladder.get(i).isBefore(ladder.get(i - 1))) {
        throw new IllegalArgumentException(
            "Expected every rung of 'escalate' to come after the one before, but %s follows %s"
                .formatted(ladder.get(i).after(), ladder.get(i - 1).after()));
      }
    }
    return ladder;
  }

  /**
   * Compares only times of the same kind: whether a week of working time or P9D is longer depends
   * on the day.
   */
  private boolean isBefore(Rung other) {
    return Objects.equals(after.calendar(), other.after().calendar())
        && after.time().compareTo(other.after().time()) < 0;
  }

  private static List<Party> parties(Map<String, @Nullable Object> rung) {
    return Given.names("to", rung.get("to")).stream().map(Party::of).toList();
  }
}
