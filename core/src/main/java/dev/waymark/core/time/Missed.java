package dev.waymark.core.time;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A policy for occurrences that passed unnoticed: the nodes were down, or the run was busy
 * elsewhere.
 */
public enum Missed {
  /**
   * It goes on with the next in the future. Of those that passed one happens at most: the one that
   * was waited for, or the last one if that is too old, and only if it is noticed within {@link
   * Limits#MISSED_AFTER}. So an interval of seconds is not made up for after a short outage.
   */
  SKIP,
  /** The last of them happens, for all. */
  ONCE,
  /** Each of them happens, in order. */
  ALL;

  /** The word in definitions and schedules. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Missed::word).toList();
  }

  public static Missed of(String word) {
    return Arrays.stream(values())
        .filter(policy -> policy.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Expected one of %s for missed occurrences, but got '%s'"
                        .formatted(words(), word)));
  }

  /**
   * The next occurrence that happens, which may lie in the past.
   *
   * @param since the last one that was had, or the moment from which occurrences count
   * @return absent if there is none any more
   */
  public @Nullable Instant next(Recurrence recurrence, Instant since, Instant now) {
    return switch (this) {
      case SKIP -> recurrence.next(later(since, now));
      case ONCE -> {
        Instant last = recurrence.latest(since, now);
        yield last == null ? recurrence.next(later(since, now)) : last;
      }
      case ALL -> recurrence.next(since);
    };
  }

  /**
   * The occurrence that happens when one was waited for and comes to notice now. One that is
   * noticed soon enough happens under every policy.
   *
   * @return that one, another one in its place, or absent if none happens now
   */
  public @Nullable Instant noticed(Recurrence recurrence, Instant awaited, Instant now) {
    return switch (this) {
      case SKIP -> {
        // Of the occurrences that are still in time only the last can start: those before it are
        // over as well.
        Instant missedBy = now.minus(Limits.MISSED_AFTER);
        Instant last = awaited.isBefore(missedBy) ? recurrence.latest(awaited, now) : awaited;
        yield last == null || last.isBefore(missedBy) ? null : last;
      }
      case ONCE -> {
        Instant last = recurrence.latest(awaited, now);
        yield last == null ? awaited : last;
      }
      case ALL -> awaited;
    };
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
