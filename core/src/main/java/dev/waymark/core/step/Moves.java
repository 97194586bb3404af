package dev.waymark.core.step;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Explanation.Move;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What would move a run on, as one would write it. */
final class Moves {

  private final InstanceId instance;

  Moves(InstanceId instance) {
    this.instance = instance;
  }

  Move goOn() {
    return new Move(
        "let it go on",
        "engine.continueInstance(%s, \"…\", caller)".formatted(id(instance)),
        "waymark instance continue %s --reason …".formatted(instance));
  }

  Move cancel() {
    return new Move(
        "cancel the run",
        "engine.cancel(%s, \"…\", caller)".formatted(id(instance)),
        "waymark instance cancel %s --reason …".formatted(instance));
  }

  Move elsewhere(ActivityInstance visit) {
    return new Move(
        "go on elsewhere",
        "engine.edit(%s, new MoveToken(%d, \"…\"), \"…\", caller)"
            .formatted(id(instance), visit.visit()),
        "waymark instance move %s --visit %d --to … --reason …".formatted(instance, visit.visit()));
  }

  Move send(String name) {
    return new Move(
        "send the message",
        "engine.send(%s, \"%s\", Map.of(…), source, id, caller)".formatted(id(instance), name),
        "waymark message send %s --to %s --data '{…}'".formatted(name, instance));
  }

  static Move correlate(String name, String correlation) {
    return new Move(
        "send it by key",
        "engine.messages().correlate(Correlated.of(\"%s\", \"%s\", Map.of(…), source, id), caller)"
            .formatted(name, correlation),
        "waymark message correlate %s --key '%s' --data '{…}'".formatted(name, correlation));
  }

  Move callBack(String tenant, String name) {
    return new Move(
        "let the partner call back",
        "engine.callbacks().seal(new Token(\"%s\", %s, \"%s\", true, null))"
            .formatted(tenant, id(instance), name),
        "waymark callback token %s %s".formatted(instance, name));
  }

  static Move signal(String name) {
    return new Move(
        "send the signal",
        "engine.signal(\"%s\", Map.of(…), source, id, caller)".formatted(name),
        "waymark signal %s --data '{…}'".formatted(name));
  }

  static Move explain(InstanceId child) {
    return new Move(
        "see why the child waits",
        "engine.explain(%s, caller)".formatted(id(child)),
        "waymark instance explain %s".formatted(child));
  }

  static List<Move> intervene(Bookmark wait, @Nullable Lease live) {
    return Stream.of(InterventionAction.values())
        .map(action -> intervene(wait, live, action))
        .toList();
  }

  private static Move intervene(Bookmark wait, @Nullable Lease live, InterventionAction action) {
    boolean values = action == InterventionAction.MODIFY_VARIABLES;
    return new Move(
        action.word(),
        "engine.intervene(%s%s, InterventionAction.%s, %s\"…\", caller)"
            .formatted(
                id(wait),
                live == null ? "" : ", " + live.fence(),
                action,
                values || live != null ? "Map.of(…), " : ""),
        "waymark intervention resolve %s%s --action %s%s --reason …"
            .formatted(
                wait.id(),
                live == null ? "" : " --fence " + live.fence(),
                action.word(),
                values ? " --data '{…}'" : ""));
  }

  // ---- what people do

  /** An answer to a wait that may be anything. */
  static List<Move> answer(Bookmark wait, @Nullable Lease live) {
    return live == null
        ? List.of(
            new Move(
                "take it",
                "engine.bookmarks().claim(%s, Duration.ofHours(1), caller)".formatted(id(wait)),
                "waymark bookmark claim %s".formatted(wait.id())),
            new Move(
                "answer it",
                "engine.bookmarks().consume(%s, Map.of(…), caller)".formatted(id(wait)),
                "waymark bookmark consume %s --data '{…}'".formatted(wait.id())))
        : List.of(
            new Move(
                "answer it, for who holds it",
                "engine.bookmarks().consume(%s, lease, Map.of(…), caller)".formatted(id(wait)),
                "waymark bookmark consume %s --fence %d --data '{…}'"
                    .formatted(wait.id(), live.fence())));
  }

  static List<Move> complete(Bookmark task, @Nullable Lease live) {
    return live == null
        ? List.of(
            new Move(
                "take it",
                "engine.tasks().claim(%s, caller)".formatted(id(task)),
                "waymark task claim %s".formatted(task.id())),
            new Move(
                "complete it",
                "engine.tasks().complete(%s, Map.of(…), caller)".formatted(id(task)),
                "waymark task complete %s --data '{…}'".formatted(task.id())))
        : List.of(
            new Move(
                "complete it, for who holds it",
                "engine.tasks().complete(%s, %d, Map.of(…), caller)"
                    .formatted(id(task), live.fence()),
                "waymark task complete %s --fence %d --data '{…}'"
                    .formatted(task.id(), live.fence())));
  }

  static Move resolve(Bookmark task) {
    return new Move(
        "hand it back to its owner",
        "engine.tasks().resolve(%s, \"…\", caller)".formatted(id(task)),
        "waymark task resolve %s --comment …".formatted(task.id()));
  }

  static List<Move> vote(Bookmark approval) {
    return Stream.of("approve", "reject", "requestChanges")
        .map(
            verb ->
                new Move(
                    verb.equals("requestChanges") ? "request changes" : verb,
                    "engine.approvals().%s(%s, \"…\", caller)".formatted(verb, id(approval)),
                    "waymark approval %s %s --comment …"
                        .formatted(
                            verb.equals("requestChanges") ? "request-changes" : verb,
                            approval.id())))
        .toList();
  }

  // ---- what operators do about time

  static List<Move> timer(Bookmark timer) {
    return List.of(
        new Move(
            "let it fire now",
            "engine.fireTimer(%s, \"…\", caller)".formatted(id(timer)),
            "waymark timer fire %s --reason …".formatted(timer.id())),
        new Move(
            "give it another time",
            "engine.rescheduleTimer(%s, Instant.parse(\"…\"), \"…\", caller)".formatted(id(timer)),
            "waymark timer reschedule %s --to … --reason …".formatted(timer.id())));
  }

  private static String id(InstanceId instance) {
    return "InstanceId.parse(\"%s\")".formatted(instance);
  }

  private static String id(Bookmark wait) {
    return "BookmarkId.parse(\"%s\")".formatted(wait.id());
  }
}
