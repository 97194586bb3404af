package dev.waymark.core.step.decide;

import static dev.waymark.core.step.Decision.Rejection.Code.NOT_FOUND;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction.FireTimer;
import dev.waymark.core.step.Correction.MoveToken;
import dev.waymark.core.step.Correction.RescheduleTimer;
import dev.waymark.core.step.Correction.RestartFrom;
import dev.waymark.core.step.Correction.SetVariables;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.core.step.walk.PutOff;
import dev.waymark.core.step.walk.VisitData;
import dev.waymark.core.step.walk.Walk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides on corrections that operators make by hand. Each is a step like any other, with its actor
 * and reason.
 */
final class Edits {

  private Edits() {}

  static Decision edit(Definition definition, Instance instance, Command.Edit edit) {
    if (instance.status().isTerminal()) {
      return Interventions.ended(instance);
    }
    Walk walk = Decider.walk(definition, instance, edit);
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("edit", edit.correction().word());
    detail.put("reason", edit.reason());
    Rejection refusal =
        switch (edit.correction()) {
          case SetVariables change -> setVariables(walk, change, detail);
          case MoveToken move -> move(walk, move, detail);
          case RestartFrom restart -> restart(walk, restart, detail);
          case FireTimer fire -> reschedule(walk, fire.timer(), edit.meta().at(), detail);
          case RescheduleTimer change -> reschedule(walk, change.timer(), change.due(), detail);
        };
    return refusal == null ? walk.finish() : refusal;
  }

  private static @Nullable Rejection setVariables(
      Walk walk, SetVariables change, Map<String, @Nullable Object> detail) {
    List<String> names = new ArrayList<>(change.set().keySet());
    names.addAll(change.remove());
    detail.put("variables", names);
    walk.noteInstance(HistoryEntry.Type.INSTANCE_EDITED, detail);
    walk.draft().removeVariables(change.remove());
    walk.draft().merge(0, change.set());
    return null;
  }

  // The timer fires as ever, by the worker and when it is due: so it is never early, and its
  // purpose, such as an occurrence of a cron timer, stays the same.
  private static @Nullable Rejection reschedule(
      Walk walk, BookmarkId id, Instant due, Map<String, @Nullable Object> detail) {
    Bookmark timer = walk.draft().before.bookmarks().get(id);
    if (timer == null || timer.kind() != BookmarkKind.TIMER) {
      return Rejection.of(
          NOT_FOUND, "Expected an open timer, but there is none with id %s".formatted(id));
    }
    detail.put("timer", timer.key());
    detail.put("from", String.valueOf(timer.due()));
    detail.put("to", due.toString());
    walk.noteInstance(HistoryEntry.Type.INSTANCE_EDITED, detail);
    walk.bookmarks().amend(timer.with(timer.payload(), due, timer.terms()), false);
    PutOff.forget(walk, timer);
    return null;
  }

  private static @Nullable Rejection move(
      Walk walk, MoveToken move, Map<String, @Nullable Object> detail) {
    ActivityInstance visit = walk.activity(move.visit());
    if (visit == null || !visit.isLive()) {
      return Rejection.of(
          NOT_FOUND, "Expected a live visit, but there is none with number " + move.visit());
    }
    if (visit.activity().equals(Definition.ROOT) || VisitData.isItem(visit)) {
      return Rejection.of(
          WRONG_STATE,
          "Expected the visit of an activity, but %d is %s"
              .formatted(
                  move.visit(),
                  VisitData.isItem(visit) ? "one item of '" + visit.activity() + "'" : "the run"));
    }
    Activity from = walk.activityOf(visit);
    Rejection wrong = target(walk.definition(), move.to());
    if (wrong != null) {
      return wrong;
    }
    Activity to = walk.definition().activity(move.to());
    if (!Objects.equals(from.scope(), to.scope())) {
      return Rejection.of(
          WRONG_STATE,
          "Expected an activity of the same scope as '%s', but '%s' stands %s"
              .formatted(
                  from.id(),
                  to.id(),
                  to.scope() == null ? "outside of any" : "inside of '" + to.scope() + "'"));
    }
    detail.put("to", to.id());
    walk.note(HistoryEntry.Type.INSTANCE_EDITED, visit, detail);
    walk.cancelChildren(visit.visit(), 0);
    walk.cancel(visit);
    walk.enter(to.id(), visit.parent());
    return null;
  }

  private static @Nullable Rejection restart(
      Walk walk, RestartFrom restart, Map<String, @Nullable Object> detail) {
    Rejection wrong = target(walk.definition(), restart.activity());
    if (wrong != null) {
      return wrong;
    }
    String scope = walk.definition().activity(restart.activity()).scope();
    List<Long> places = places(walk, scope);
    if (places.size() != 1) {
      return Rejection.of(
          WRONG_STATE,
          "Expected '%s' to be alive once, so that '%s' can be started in it, but it is %s"
              .formatted(
                  scope,
                  restart.activity(),
                  places.isEmpty() ? "not" : "alive %d times".formatted(places.size())));
    }
    detail.put("activity", restart.activity());
    walk.noteInstance(HistoryEntry.Type.INSTANCE_EDITED, detail);
    long place = places.get(0);
    for (ActivityInstance visit : walk.children(place)) {
      if (!visit.activity().equals(Definition.ROOT)) {
        walk.cancelChildren(visit.visit(), 0);
        walk.cancel(visit);
      }
    }
    walk.enter(restart.activity(), place);
    return null;
  }

  /** The visits that have the inside of the scope; 0 is the whole run without one of its own. */
  private static List<Long> places(Walk walk, @Nullable String scope) {
    if (scope == null) {
      ActivityInstance root = walk.childAt(0, Definition.ROOT);
      return List.of(root == null ? 0 : root.visit());
    }
    boolean items =
        Kinds.of(walk.definition().activity(scope).type()).inside() == ActivityType.Inside.ITEMS;
    return walk.draft().activities.values().stream()
        .filter(visit -> visit.isLive() && visit.activity().equals(scope))
        .filter(visit -> VisitData.isItem(visit) == items)
        .map(ActivityInstance::visit)
        .toList();
  }

  private static @Nullable Rejection target(Definition definition, String id) {
    if (!definition.activities().containsKey(id)) {
      return Rejection.of(
          NOT_FOUND,
          "Expected one of %s, but got '%s'".formatted(definition.activities().keySet(), id));
    }
    boolean undoes =
        definition.activities().values().stream().anyMatch(a -> id.equals(a.compensate()));
    return undoes
        ? Rejection.of(
            WRONG_STATE,
            "Expected an activity that the flow leads to, but '%s' only undoes another"
                .formatted(id))
        : null;
  }
}
