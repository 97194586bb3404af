package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Locals;
import dev.waymark.core.instance.Status;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Undoes completed activities, in reverse order of completion.
 *
 * <p>A completed visit that can be undone is kept, below its scope, with the number of its
 * completion. Undoing takes the kept visit with the highest number, starts its handler and forgets
 * it in the same step, and goes on when the handler is done. So the progress of a compensation is
 * part of the state, and each handler is started once.
 */
public final class Compensation {

  /** The number of a kept visit's completion. */
  static final String DONE = "done";

  /**
   * Marks a kept visit that its activity's own handler undoes; the visits kept inside it are not
   * undone one by one.
   */
  private static final String WHOLE = "whole";

  /** Marks a visit that undoes its inside; the value names the continuation. */
  private static final String UNDO = "undo";

  /** The variables of scopes that a kept visit stood inside of and that are gone. */
  private static final String AROUND = "around";

  private Compensation() {}

  /** A visit is completed: remember it if it can be undone. */
  public static void keepOrRemove(
      Walk walk, ActivityInstance visit, Map<String, @Nullable Object> output) {
    // The handler of a for-each undoes the whole loop; a single item is undone by the handlers
    // inside it.
    boolean undoable = walk.activityOf(visit).compensate() != null && !VisitData.isItem(visit);
    if (!undoable && !hasKept(walk, visit.visit())) {
      walk.remove(visit);
      return;
    }
    walk.bookmarks().withdrawAll(visit.visit());
    Map<String, @Nullable Object> what = new LinkedHashMap<>();
    what.put(DONE, walk.draft().nextNumber());
    if (undoable) {
      what.put(WHOLE, true);
      what.put(Scopes.INPUT, walk.input(visit));
      what.put(Scopes.OUTPUT, output);
    }
    ActivityInstance kept = visit.kept(walk.containerOf(visit), what);
    walk.put(Locals.of(visit).isEmpty() ? kept : Locals.of(kept, Locals.of(visit)));
  }

  private static boolean hasKept(Walk walk, long container) {
    return walk.draft().activities.values().stream()
        .anyMatch(kept -> kept.parent() == container && isUndoable(kept));
  }

  public static boolean isUndoable(ActivityInstance visit) {
    return !visit.isLive() && visit.data().containsKey(DONE);
  }

  /** True if the visit is busy undoing: then it catches nothing, and nothing inside is caught. */
  static boolean isUnderWay(Walk walk, ActivityInstance visit) {
    return visit.data().containsKey(UNDO) || walk.kindOf(visit).undoes();
  }

  /** A reaction asks for the inside of the visit to be undone before it goes on. */
  static void begin(Walk walk, ActivityInstance visit, int reaction, @Nullable Fault fault) {
    Map<String, @Nullable Object> undo = new LinkedHashMap<>();
    undo.put("reaction", (long) reaction);
    undo.put("fault", fault == null ? null : fault.toDocument());
    begin(walk, visit, undo);
  }

  /** An operator cancels the run, and wants it undone first. */
  public static void beginCancel(Walk walk, String reason) {
    ActivityInstance root = walk.childAt(0, Definition.ROOT);
    for (ActivityInstance visit : walk.children(0)) {
      cancelInside(walk, visit);
      if (!visit.activity().equals(Definition.ROOT)) {
        handUp(walk, visit);
        walk.cancel(visit);
      }
    }
    ActivityInstance driver = root == null ? walk.draft().newVisit(Definition.ROOT, 0) : root;
    Map<String, @Nullable Object> undo = new LinkedHashMap<>();
    undo.put("cancel", reason);
    begin(walk, driver, undo);
  }

  private static void begin(Walk walk, ActivityInstance visit, Map<String, @Nullable Object> undo) {
    walk.bookmarks().withdrawAll(visit.visit());
    ActivityInstance undoing = visit.with(UNDO, undo).waiting();
    walk.put(undoing);
    walk.note(HistoryEntry.Type.COMPENSATION_STARTED, undoing);
  }

  public static boolean isDriver(ActivityInstance visit) {
    return visit.data().containsKey(UNDO);
  }

  /** Undoes the next completed activity inside a visit, if no visit below it is alive. */
  public static boolean settle(Walk walk, ActivityInstance driver) {
    if (walk.hasChildren(driver.visit())) {
      return false;
    }
    boolean whole = driver.activity().equals(Definition.ROOT);
    Predicate<ActivityInstance> inside =
        kept -> kept.parent() == driver.visit() || (whole && kept.parent() == 0);
    if (!undoNext(walk, driver, inside)) {
      walk.note(HistoryEntry.Type.COMPENSATION_COMPLETED, driver);
      finish(walk, driver);
    }
    return true;
  }

  private static void finish(Walk walk, ActivityInstance driver) {
    Map<String, @Nullable Object> undo = Json.object(driver.data().get(UNDO));
    if (undo.get("reaction") instanceof Long index) {
      Fault fault =
          undo.get("fault") == null ? null : Fault.fromDocument(Json.object(undo.get("fault")));
      ActivityInstance done = driver.with(UNDO, null);
      walk.put(done);
      Reactions.go(walk, done, walk.activityOf(driver).reactions().get(index.intValue()), fault);
    } else {
      walk.end(Status.CANCELLED, null, Map.of("reason", String.valueOf(undo.get("cancel"))));
    }
  }

  /**
   * Starts the handler of the activity that was completed last.
   *
   * @param driver the visit that the handler stands below
   * @return false if nothing is left to undo
   */
  public static boolean undoNext(
      Walk walk, ActivityInstance driver, Predicate<ActivityInstance> inside) {
    while (true) {
      ActivityInstance last =
          walk.draft().activities.values().stream()
              .filter(Compensation::isUndoable)
              .filter(inside)
              .max(Comparator.comparingLong(Compensation::done))
              .orElse(null);
      if (last == null) {
        return false;
      }
      Activity activity = walk.activityOf(last);
      if (activity.compensate() != null && last.data().containsKey(WHOLE)) {
        undo(walk, driver, last, activity.compensate());
        return true;
      }
      open(walk, last);
    }
  }

  private static void undo(
      Walk walk, ActivityInstance driver, ActivityInstance last, String handler) {
    Map<String, @Nullable Object> undoes = new LinkedHashMap<>();
    undoes.put("visit", last.visit());
    undoes.put(Scopes.INPUT, last.data().get(Scopes.INPUT));
    undoes.put(Scopes.OUTPUT, last.data().get(Scopes.OUTPUT));
    ActivityInstance visit =
        walk.draft().newVisit(handler, driver.visit()).with(Locals.UNDOES, undoes);
    walk.remove(last);
    walk.begin(Locals.of(visit, Json.object(last.data().get(AROUND))));
  }

  /**
   * A scope without a handler of its own is undone by undoing the completed activities inside it.
   */
  private static void open(Walk walk, ActivityInstance scope) {
    handUp(walk, scope);
    walk.remove(scope);
  }

  /** Ends the live visits inside a visit that is going to be undone; kept visits stay. */
  static void cancelInside(Walk walk, ActivityInstance visit) {
    for (ActivityInstance child : walk.children(visit.visit())) {
      cancelInside(walk, child);
      handUp(walk, child);
      walk.cancel(child);
    }
  }

  /** Moves the completed visits of a scope to the container around it. */
  static void handUp(Walk walk, ActivityInstance scope) {
    if (walk.activityOf(scope).block() == null) {
      return;
    }
    long container = walk.containerOf(scope);
    for (ActivityInstance kept : List.copyOf(walk.draft().activities.values())) {
      if (kept.parent() == scope.visit() && isUndoable(kept)) {
        Map<String, @Nullable Object> around =
            new LinkedHashMap<>(Json.object(scope.data().get(AROUND)));
        around.putAll(Locals.of(scope));
        around.putAll(Json.object(kept.data().get(AROUND)));
        ActivityInstance opened = VisitData.undoneAs(kept.with(AROUND, around), scope);
        walk.put(kept.kept(container, opened.data()));
      }
    }
  }

  private static long done(ActivityInstance kept) {
    return kept.data().get(DONE) instanceof Long number ? number : 0;
  }
}
