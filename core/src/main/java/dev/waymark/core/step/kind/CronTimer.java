package dev.waymark.core.step.kind;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import dev.waymark.core.time.Cron;
import dev.waymark.core.time.Missed;
import dev.waymark.core.time.Recurrence;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A timer that waits for the next occurrence of a cron expression, each time that the run comes to
 * it.
 *
 * <p>The count of its occurrences must outlive its visits, because the run leaves it and comes
 * back: a kept visit of the same activity, below the scope that both stand in, holds the count and
 * the last occurrence. It goes when the scope does.
 */
final class CronTimer {

  /** On the kept visit: how many occurrences there were. */
  private static final String COUNT = "occurrences";

  /** The last occurrence. */
  private static final String LAST = "scheduled";

  private CronTimer() {}

  /**
   * The settings of a cron timer.
   *
   * @param most absent if it goes on for ever
   */
  private record Told(Recurrence recurrence, Missed missed, @Nullable Long most) {

    static Told of(Map<String, @Nullable Object> input) {
      return new Told(
          new Recurrence.OnCron(
              Cron.parse(WithReader.text(input, "cron", "")),
              ZoneId.of(WithReader.text(input, "zone", "UTC"))),
          Missed.of(WithReader.text(input, "missed", Missed.SKIP.word())),
          input.get("occurrences") instanceof Number number ? number.longValue() : null);
    }
  }

  static void enter(Walk walk, ActivityInstance visit) {
    Told told = Told.of(walk.input(visit));
    ActivityInstance memory = memory(walk, visit);
    Instant since =
        memory == null
            ? walk.at()
            : WithReader.instant(Objects.requireNonNull(memory.data().get(LAST)));
    await(walk, visit, told, since);
  }

  /** Waits for the next occurrence after the last one; if none is left, that is the result. */
  private static void await(Walk walk, ActivityInstance visit, Told told, Instant since) {
    long count = count(memory(walk, visit));
    Instant next =
        told.most() != null && count >= told.most()
            ? null
            : told.missed().next(told.recurrence(), since, walk.at());
    if (next == null) {
      walk.complete(visit, output(count, null));
      return;
    }
    Map<String, @Nullable Object> shown = Map.of("occurrence", count + 1, LAST, next.toString());
    walk.await(visit, List.of(new Wait(BookmarkKind.TIMER, visit.activity(), shown, next)));
  }

  /** The occurrence is the one that was waited for, however late it is noticed. */
  static void fired(Walk walk, ActivityInstance visit, Bookmark bookmark) {
    Told told = Told.of(walk.input(visit));
    Instant awaited = WithReader.instant(Objects.requireNonNull(bookmark.payload().get(LAST)));
    // If an operator has given it another due time, this occurrence counts, and the rule for missed
    // ones does not.
    Instant occurrence =
        awaited.equals(bookmark.due())
            ? told.missed().noticed(told.recurrence(), awaited, walk.at())
            : awaited;
    if (occurrence == null) {
      await(walk, visit, told, awaited);
      return;
    }
    long count = count(memory(walk, visit)) + 1;
    remember(walk, visit, count, occurrence);
    walk.complete(visit, output(count, occurrence));
  }

  private static Map<String, @Nullable Object> output(long count, @Nullable Instant occurrence) {
    Map<String, @Nullable Object> output = new LinkedHashMap<>();
    output.put("occurrence", count);
    output.put("scheduled", occurrence == null ? null : occurrence.toString());
    output.put("exhausted", occurrence == null);
    return output;
  }

  private static @Nullable ActivityInstance memory(Walk walk, ActivityInstance visit) {
    long container = walk.containerOf(visit);
    return walk.draft().activities.values().stream()
        .filter(
            kept ->
                !kept.isLive()
                    && kept.parent() == container
                    && kept.activity().equals(visit.activity())
                    && kept.data().containsKey(COUNT))
        .findFirst()
        .orElse(null);
  }

  private static long count(@Nullable ActivityInstance memory) {
    return memory != null && memory.data().get(COUNT) instanceof Long count ? count : 0;
  }

  private static void remember(Walk walk, ActivityInstance visit, long count, Instant occurrence) {
    ActivityInstance before = memory(walk, visit);
    long container = walk.containerOf(visit);
    ActivityInstance memory =
        before == null ? walk.draft().newVisit(visit.activity(), container) : before;
    walk.put(memory.kept(container, Map.of(COUNT, count, LAST, occurrence.toString())));
  }
}
