package dev.waymark.core.approval;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The moments at which the people who have not acted yet are told again, counted from the begin of
 * the wait.
 */
public record Reminders(Duration after, Duration every, int times) {

  public static final Reminders NONE = new Reminders(Duration.ZERO, Duration.ZERO, 0);

  public Reminders {
    requireNonNull(after, "after");
    requireNonNull(every, "every");
    if (times < 0 || times > Limits.REMINDERS) {
      throw new IllegalArgumentException(
          "Expected 0 to %d reminders, but got %d".formatted(Limits.REMINDERS, times));
    }
  }

  /**
   * Reads a {@code remind}: the first after {@code after}, the next ones {@code every} that
   * duration, at most {@code times} of them.
   */
  public static Reminders of(@Nullable Object remind) {
    Map<String, @Nullable Object> given = Given.object("remind", remind);
    if (given.isEmpty()) {
      return NONE;
    }
    Object every = given.get("every");
    Object after = given.get("after") == null ? every : given.get("after");
    Object times = given.get("times");
    return new Reminders(
        Given.duration("after", after),
        every == null ? Duration.ZERO : Given.duration("every", every),
        times == null ? 1 : Given.integer("times", times));
  }

  /** The moment at which the given one is due, counted from 0; absent if there is no such one. */
  public @Nullable Instant due(int number, Instant begun) {
    return number < times ? begun.plus(after).plus(every.multipliedBy(number)) : null;
  }
}
