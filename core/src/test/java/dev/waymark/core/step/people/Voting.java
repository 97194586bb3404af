package dev.waymark.core.step.people;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.TaskAction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** People who vote, and what tests ask about their approvals. */
final class Voting {

  static final Actor ANNA = Actor.of("anna");
  static final Actor BERT = Actor.of("bert");
  static final Actor CARL = Actor.of("carl");
  static final Actor FINN = new Actor("finn", "default", Set.of("finance"), Set.of());

  static final Map<String, Object> YES = Map.of("outcome", "approved");
  static final Map<String, Object> NO = Map.of("outcome", "rejected", "comment", "Too much");

  private Voting() {}

  static Play play(String with) {
    return Play.of(
        "ask",
        "  ask:\n    type: approval\n    with: "
            + with
            + "\n    output: { got: \"${ Output }\" }\n");
  }

  static Map<?, ?> got(Play play) {
    return Json.object(play.live().variables().get("got"));
  }

  static Object outcome(Play play) {
    return got(play).get("outcome");
  }

  static Command.Attend attend(Play play, Actor actor, TaskAction act) {
    return new Command.Attend(play.meta(actor), play.work().id(), act);
  }

  static List<HistoryEntry.Type> types(Play play) {
    return play.history.stream().map(HistoryEntry::type).toList();
  }

  static List<@Nullable Object> notifications(Play play) {
    return play.history.stream()
        .filter(entry -> entry.type() == HistoryEntry.Type.EVENT_EMITTED)
        .map(entry -> ((Map<?, ?>) entry.detail().get("data")).get("text"))
        .<@Nullable Object>map(text -> text)
        .toList();
  }
}
