package dev.waymark.core.step.decide;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.walk.Walk;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides on partners' reports about work that they have not finished. One is written on the wait
 * that the answer will end, and into history; no token moves.
 */
public final class ProgressReports {

  private static final String AT = "at";

  private ProgressReports() {}

  static Decision deliver(Definition definition, Instance instance, Command.Deliver deliver) {
    Message message = deliver.message();
    // The one that the answer itself would end.
    Optional<Bookmark> open =
        instance.bookmarks().values().stream()
            .filter(message::isFor)
            .max(Comparator.comparingLong(Bookmark::visit));
    if (open.isEmpty()) {
      return WaitDecisions.kept(instance);
    }
    Bookmark wait = open.get();
    Walk walk = Decider.walk(definition, instance, deliver);
    ActivityInstance visit = requireNonNull(walk.activity(wait.visit()), "visit");
    Map<String, @Nullable Object> told = told(message);
    walk.received(message);
    Map<String, @Nullable Object> detail = new LinkedHashMap<>(told);
    detail.put("key", wait.key());
    walk.note(HistoryEntry.Type.WAIT_REPORTED, visit, detail);
    // Nodes may bring them in another order than they came in.
    if (!message.received().isBefore(lastAt(wait))) {
      Map<String, @Nullable Object> payload = new LinkedHashMap<>(wait.payload());
      payload.put(StatusUpdate.FIELD, told);
      walk.bookmarks().amend(wait.with(payload, wait.due(), wait.terms()), false);
    }
    return walk.finish();
  }

  private static Map<String, @Nullable Object> told(Message message) {
    Map<String, @Nullable Object> told =
        new LinkedHashMap<>(StatusUpdate.fromDocument(message.payload()).toDocument());
    told.put(AT, message.received().toString());
    told.put("by", message.sender());
    return told;
  }

  private static Instant lastAt(Bookmark wait) {
    return last(wait).get(AT) instanceof String at ? Instant.parse(at) : Instant.MIN;
  }

  private static Map<String, @Nullable Object> last(Bookmark wait) {
    return Json.object(wait.payload().get(StatusUpdate.FIELD));
  }

  /** The last report, for people to read; empty if there is none. */
  public static String shown(Bookmark wait) {
    Map<String, @Nullable Object> last = last(wait);
    if (last.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("; ");
    text.append(last.get("by")).append(" said at ").append(last.get(AT));
    if (lastAt(wait).isBefore(wait.created())) {
      // In a loop it may have been about an earlier wait of the same name: there is no way to know.
      text.append(", before this wait began");
    }
    text.append(": '").append(last.get("status")).append('\'');
    if (last.get("progress") != null) {
      text.append(", ").append(last.get("progress")).append(" %");
    }
    if (last.get("message") != null) {
      text.append(", ").append(last.get("message"));
    }
    return text.toString();
  }
}
