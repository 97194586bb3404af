package dev.waymark.core.time;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Moments that come again and again. */
public sealed interface Recurrence {

  /**
   * The shortest interval: work that is wanted more often belongs into a loop, not into a schedule.
   */
  Duration SHORTEST = Duration.ofSeconds(1);

  /**
   * The first occurrence after a moment, that moment excluded; absent if there is none any more.
   */
  @Nullable Instant next(Instant after);

  /**
   * The last occurrence up to a moment, that moment included.
   *
   * @param since where to look from, itself excluded
   * @return absent if there is none in between
   */
  default @Nullable Instant latest(Instant since, Instant upTo) {
    Instant found = nextUpTo(since, upTo);
    if (found == null) {
      return null;
    }
    // The later the moment that the search begins from, the later the occurrence that it finds: so
    // halving finds the last occurrence that is not too late, however many lie between.
    long low = found.getEpochSecond();
    long high = upTo.getEpochSecond();
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      Instant later = nextUpTo(Instant.ofEpochSecond(middle), upTo);
      if (later == null) {
        high = middle - 1;
      } else {
        found = later;
        low = middle;
      }
    }
    return found;
  }

  private @Nullable Instant nextUpTo(Instant after, Instant upTo) {
    Instant next = next(after);
    return next == null || next.isAfter(upTo) ? null : next;
  }

  /** A cron expression in a zone. */
  record OnCron(Cron cron, ZoneId zone) implements Recurrence {

    public OnCron {
      requireNonNull(cron, "cron");
      requireNonNull(zone, "zone");
    }

    @Override
    public @Nullable Instant next(Instant after) {
      return cron.next(after, zone);
    }
  }

  /**
   * A fixed interval, counted from a moment; changes of clocks do not matter.
   *
   * @param from the first occurrence is one interval later
   */
  record Every(Duration interval, Instant from) implements Recurrence {

    public Every {
      requireNonNull(from, "from");
      var unused = Limits.moment("the moment that a schedule counts from", from);
      if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(Limits.DURATION) > 0) {
        throw new IllegalArgumentException(
            "Expected an interval from %s to %s, but got %s"
                .formatted(SHORTEST, Limits.DURATION, interval));
      }
    }

    @Override
    public @Nullable Instant next(Instant after) {
      Duration passed = Duration.between(from, after);
      long count = passed.isNegative() ? 0 : passed.dividedBy(interval);
      Instant next = from.plus(interval.multipliedBy(count + 1));
      return next.isAfter(Limits.FARTHEST) ? null : next;
    }

    @Override
    public @Nullable Instant latest(Instant since, Instant upTo) {
      long count = upTo.isBefore(from) ? 0 : Duration.between(from, upTo).dividedBy(interval);
      Instant last = from.plus(interval.multipliedBy(count));
      return count > 0 && last.isAfter(since) ? last : null;
    }
  }
}
