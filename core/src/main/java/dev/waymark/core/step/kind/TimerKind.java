package dev.waymark.core.step.kind;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.definition.text.Complaint;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import dev.waymark.core.time.Cron;
import dev.waymark.core.time.Missed;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code timer}: waits {@code after} a while, {@code until} an instant, or for the next occurrence
 * of a {@code cron} expression ({@link CronTimer}). Never early.
 */
final class TimerKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .field("after", Shape.due().describe("So much time, or so much working time, from now."))
          .field("until", Shape.instant())
          .field("cron", Shape.name().told("a cron expression such as '0 9 * * 1-5'"))
          .field("zone", Shape.name().told("a time zone such as Europe/Berlin"))
          .field(
              "occurrences",
              Shape.integer(1, Limits.OCCURRENCES).describe("After so many it is exhausted."))
          .field(
              "missed",
              Shape.oneOf(Missed.words().toArray(String[]::new))
                  .describe("What becomes of occurrences that nobody was there for; default skip."))
          .exactlyOne("after", "until", "cron")
          .document();

  @Override
  public String name() {
    return "timer";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public List<String> dues(Map<String, @Nullable Object> with) {
    return List.of("after");
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    if (!with.containsKey("cron")) {
      for (String field : List.of("zone", "occurrences", "missed")) {
        if (with.containsKey(field)) {
          faults.add(field, "no such field without 'cron'", Faults.shown(with.get(field)));
        }
      }
    }
    String cron = literal(with.get("cron"));
    if (cron != null) {
      try {
        var unused = Cron.parse(cron);
      } catch (IllegalArgumentException e) {
        Complaint refusal = Complaint.of(e);
        faults.add("cron", refusal.expected(), refusal.got());
      }
    }
    String zone = literal(with.get("zone"));
    if (zone != null) {
      try {
        var unused = ZoneId.of(zone);
      } catch (DateTimeException e) {
        faults.add("zone", "a time zone such as Europe/Berlin", Faults.shown(zone));
      }
    }
  }

  private static @Nullable String literal(@Nullable Object value) {
    return value instanceof String text && !text.contains("${") ? text : null;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    try {
      if (walk.input(visit).containsKey("cron")) {
        CronTimer.enter(walk, visit);
      } else {
        walk.await(visit, List.of(wait(walk, walk.input(visit), visit.activity())));
      }
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
    }
  }

  @Override
  public void resumed(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    if (walk.input(visit).containsKey("cron")) {
      CronTimer.fired(walk, visit, bookmark);
    } else {
      walk.complete(visit, payload);
    }
  }

  static Wait wait(Walk walk, Map<String, @Nullable Object> input, String key) {
    return new Wait(
        BookmarkKind.TIMER,
        key,
        Map.of(),
        input.containsKey("after")
            ? walk.due(input.get("after"))
            : WithReader.instant(input.get("until")));
  }
}
