package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.step.walk.Compensation;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.VisitData;
import dev.waymark.core.step.walk.Walk;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code compensate}: undoes the completed activities of its scope, or one {@code activity} there,
 * and goes on when that is done. Activities that complete meanwhile are not undone.
 */
final class CompensateKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object().field("activity", Shape.name().describe("Undoes this one alone.")).document();

  @Override
  public String name() {
    return "compensate";
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public boolean undoes() {
    return true;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    walk.note(HistoryEntry.Type.COMPENSATION_STARTED, visit);
    long container = walk.containerOf(visit);
    Object only = walk.input(visit).get("activity");
    for (ActivityInstance kept : List.copyOf(walk.draft().activities.values())) {
      if (kept.parent() == container
          && Compensation.isUndoable(kept)
          && (only == null || only.equals(kept.activity()))) {
        walk.put(VisitData.undoneBy(kept, visit));
      }
    }
  }

  @Override
  public boolean settles() {
    return true;
  }

  @Override
  public boolean settle(Walk walk, ActivityInstance visit) {
    if (visit.state() == ActivityInstance.State.PARKED || walk.hasChildren(visit.visit())) {
      return false;
    }
    if (!Compensation.undoNext(walk, visit, kept -> VisitData.isUndoneBy(visit, kept))) {
      walk.complete(visit, Map.of());
    }
    return true;
  }
}
