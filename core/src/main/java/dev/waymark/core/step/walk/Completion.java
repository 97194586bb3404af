package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Activity.Transition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The good end of a visit: its output goes into the variables, then its token goes on.
 *
 * <p>Either may fail, because an expression does or no condition holds. The result is kept with the
 * visit then, and how far it came, so that the work is not done again when a person has looked.
 */
public final class Completion {

  private Completion() {}

  /**
   * The visit's work is done.
   *
   * @param to where the token goes; absent, where the activity's transitions lead it
   */
  public static void of(
      Walk walk,
      ActivityInstance visit,
      Map<String, @Nullable Object> output,
      @Nullable String to) {
    Activity activity = walk.activityOf(visit);
    try {
      if (activity.output() != null) {
        walk.merge(visit, Json.object(activity.output().evaluate(walk.after(visit, output))));
      } else if (walk.kindOf(visit).merges()) {
        walk.merge(visit, output);
      }
    } catch (ExpressionException e) {
      walk.fault(
          visit.with(Scopes.OUTPUT, output).with(Scopes.TO, to),
          Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    leave(walk, visit, output, to);
  }

  /** The same for a result that the activity's guard must let pass. */
  public static void guarded(
      Walk walk, ActivityInstance visit, Map<String, @Nullable Object> output) {
    String refusal = Guards.refusal(walk, visit, output);
    if (refusal == null) {
      of(walk, visit, output, null);
    } else {
      walk.fault(visit, Fault.permanent(Fault.GUARD, refusal));
    }
  }

  private static void leave(
      Walk walk,
      ActivityInstance visit,
      Map<String, @Nullable Object> output,
      @Nullable String to) {
    String next = to;
    if (next == null && !walk.activityOf(visit).next().isEmpty()) {
      try {
        next = transition(walk, visit, output);
      } catch (ExpressionException e) {
        stuck(walk, visit, output, Fault.EXPRESSION, String.valueOf(e.getMessage()));
        return;
      }
      if (next == null) {
        stuck(
            walk,
            visit,
            output,
            Fault.NO_MATCH,
            "Expected one of the conditions after '%s' to hold, but none did: %s"
                .formatted(visit.activity(), Scopes.conditions(walk.activityOf(visit))));
        return;
      }
    }
    walk.note(HistoryEntry.Type.ACTIVITY_COMPLETED, visit);
    Compensation.keepOrRemove(walk, visit, output);
    if (next != null) {
      walk.enter(next, visit.parent());
    }
  }

  private static @Nullable String transition(
      Walk walk, ActivityInstance visit, Map<String, @Nullable Object> output) {
    for (Transition transition : walk.activityOf(visit).next()) {
      if (transition.when() == null || transition.when().holds(walk.after(visit, output))) {
        return transition.to();
      }
    }
    return null;
  }

  /** The result is in the variables, but there is no way on. */
  private static void stuck(
      Walk walk,
      ActivityInstance visit,
      Map<String, @Nullable Object> output,
      String code,
      String message) {
    ActivityInstance merged = visit.with(Scopes.OUTPUT, output).with(Scopes.MERGED, true);
    walk.fault(merged, Fault.permanent(code, message));
  }

  /**
   * Goes on with a result that could not go on before, from where it stopped.
   *
   * @return false if the visit has not come to a result
   */
  static boolean again(Walk walk, ActivityInstance visit) {
    if (!(visit.data().get(Scopes.OUTPUT) instanceof Map<?, ?> output)) {
      return false;
    }
    String to = visit.data().get(Scopes.TO) instanceof String id ? id : null;
    ActivityInstance clean =
        visit.with(Scopes.OUTPUT, null).with(Scopes.MERGED, null).with(Scopes.TO, null);
    walk.put(clean);
    if (Boolean.TRUE.equals(visit.data().get(Scopes.MERGED))) {
      leave(walk, clean, Json.object(output), to);
    } else {
      of(walk, clean, Json.object(output), to);
    }
    return true;
  }
}
