package dev.waymark.core.step;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Explanation.Move;
import java.util.List;
import java.util.Locale;

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

  static Move intervene(Bookmark wait, String action) {
    String word = action.toLowerCase(Locale.ROOT).replace('_', '-');
    return new Move(
        word,
        "engine.intervene(%s, Action.%s, \"…\", caller)".formatted(id(wait), action),
        "waymark intervention resolve %s --action %s --reason …".formatted(wait.id(), word));
  }

  static List<Move> answer(Bookmark wait) {
    return List.of(
        new Move(
            "take it",
            "engine.bookmarks().claim(%s, Duration.ofHours(1), caller)".formatted(id(wait)),
            "waymark bookmark claim %s".formatted(wait.id())),
        new Move(
            "answer it",
            "engine.bookmarks().consume(%s, Map.of(…), caller)".formatted(id(wait)),
            "waymark bookmark consume %s --data '{…}'".formatted(wait.id())));
  }

  private static String id(InstanceId instance) {
    return "InstanceId.parse(\"%s\")".formatted(instance);
  }

  private static String id(Bookmark wait) {
    return "BookmarkId.parse(\"%s\")".formatted(wait.id());
  }
}
