package dev.waymark.core.step.kind;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Completion;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code race}: stands at several waits and goes on with the first that is answered; the others are
 * withdrawn in the same step.
 */
final class RaceKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required(
              "waits",
              Shape.byName(rival())
                  .size(1, Limits.RACE_WAITS)
                  .told("an object with 1 to %d waits by name".formatted(Limits.RACE_WAITS))
                  .constant())
          .document();

  /** The wait that each bookmark stands for. */
  private static final String RUNNERS = "runners";

  @Override
  public String name() {
    return "race";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  /** One of the waits: the fields of a timer or of a wait, and its target. */
  private static Shape rival() {
    return Shape.object()
        .field("for", WaitKind.FOR)
        .field("key", Shape.word().orNull())
        .field("payload", Shape.open().orNull())
        .field("correlate", WaitKind.CORRELATE)
        .field("expires", WaitKind.EXPIRES)
        .field("after", Shape.due().orNull())
        .field("until", Shape.instant().orNull())
        .field("when", Shape.truth().describe("If false, this one does not take part."))
        .field("to", Shape.name().told("the id of an activity").constant())
        .notTogether(
            List.of(
                List.of("after"),
                List.of("until"),
                List.of("for", "key", "payload", "correlate", "expires")))
        .constant();
  }

  private static boolean isTimer(Map<String, @Nullable Object> wait) {
    return wait.containsKey("after") || wait.containsKey("until");
  }

  @Override
  public List<String> targets(Map<String, @Nullable Object> with) {
    List<String> targets = new ArrayList<>();
    if (with.get("waits") instanceof Map<?, ?> waits) {
      for (Object wait : waits.values()) {
        if (wait instanceof Map<?, ?> map && map.get("to") instanceof String to) {
          targets.add(to);
        }
      }
    }
    return targets;
  }

  @Override
  public List<String> dues(Map<String, @Nullable Object> with) {
    return with.get("waits") instanceof Map<?, ?> waits
        ? waits.keySet().stream().map(name -> "waits/" + escaped(name) + "/after").toList()
        : List.of();
  }

  private static String escaped(@Nullable Object name) {
    return String.valueOf(name).replace("~", "~0").replace("/", "~1");
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    List<String> names = new ArrayList<>();
    List<Wait> waits = new ArrayList<>();
    try {
      for (Map.Entry<String, @Nullable Object> entry : entries(walk, visit).entrySet()) {
        Map<String, @Nullable Object> wait = Json.object(entry.getValue());
        if (!Boolean.FALSE.equals(wait.get("when"))) {
          names.add(entry.getKey());
          waits.add(
              isTimer(wait)
                  ? TimerKind.wait(walk, wait, entry.getKey())
                  : WaitKind.expiring(WaitKind.wait(wait, entry.getKey()), wait, walk.at()));
        }
      }
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    if (waits.isEmpty()) {
      walk.fault(
          visit,
          Fault.permanent(
              Fault.NO_MATCH,
              "Expected at least one wait of '%s' to take part, but none does: %s"
                  .formatted(visit.activity(), entries(walk, visit).keySet())));
      return;
    }
    List<Bookmark> bookmarks = walk.await(visit, waits);
    Map<String, @Nullable Object> runners = new LinkedHashMap<>();
    for (int i = 0; i < bookmarks.size(); i++) {
      runners.put(Long.toHexString(bookmarks.get(i).id().tag()), names.get(i));
    }
    walk.put(visit.waiting().with(RUNNERS, runners));
  }

  private static Map<String, @Nullable Object> entries(Walk walk, ActivityInstance visit) {
    return Json.object(walk.input(visit).get("waits"));
  }

  @Override
  public void resumed(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    String tag = Long.toHexString(bookmark.id().tag());
    String winner = String.valueOf(Json.object(visit.data().get(RUNNERS)).get(tag));
    Map<String, @Nullable Object> output = new LinkedHashMap<>();
    output.put("winner", winner);
    output.put("answer", payload);
    walk.bookmarks().withdrawAll(visit.visit());
    Object to = Json.object(entries(walk, visit).get(winner)).get("to");
    Completion.of(walk, visit, output, to == null ? null : String.valueOf(to));
  }
}
