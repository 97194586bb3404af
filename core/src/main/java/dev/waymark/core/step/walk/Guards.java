package dev.waymark.core.step.walk;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Guard;
import dev.waymark.core.definition.schema.InputSchema.Violation;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks an activity's guard: who may answer, and with what. */
public final class Guards {

  private Guards() {}

  /** Refuses an answer that the guard does not allow; absent if it does. */
  public static @Nullable Rejection rejection(
      Walk walk, ActivityInstance visit, Command.Resume answer) {
    String refusal = refusal(walk, visit, answer.meta().actor(), answer.payload());
    return refusal == null ? null : Rejection.of(Rejection.Code.GUARD, refusal);
  }

  /** The reason why this person may not answer, or not so; absent if it is all right. */
  private static @Nullable String refusal(
      Walk walk, ActivityInstance visit, Actor actor, Map<String, @Nullable Object> answer) {
    Guard guard = walk.activityOf(visit).guard();
    if (guard == null) {
      return null;
    }
    String lacking = lacking("role", guard.roles(), actor.roles(), actor);
    if (lacking == null) {
      lacking = lacking("group", guard.groups(), actor.groups(), actor);
    }
    return lacking == null ? refusal(walk, visit, answer) : lacking;
  }

  private static @Nullable String lacking(
      String what, List<String> wanted, Set<String> had, Actor actor) {
    return wanted.isEmpty() || !Collections.disjoint(wanted, had)
        ? null
        : "Expected %s to have %s %s, but got %s"
            .formatted(actor.id(), what, String.join(" or ", wanted), had.isEmpty() ? "none" : had);
  }

  /** The reason why this answer or result is refused, for any actor; absent if it is accepted. */
  public static @Nullable String refusal(
      Walk walk, ActivityInstance visit, Map<String, @Nullable Object> answer) {
    Activity activity = walk.activityOf(visit);
    Guard guard = activity.guard();
    if (guard == null) {
      return null;
    }
    if (guard.result() != null) {
      List<Violation> violations = guard.result().check(answer);
      if (!violations.isEmpty()) {
        return "Expected an answer that fits the guard of '%s', but at %s: %s"
            .formatted(
                activity.id(),
                violations.get(0).pointer().isEmpty() ? "/" : violations.get(0).pointer(),
                violations.get(0).message());
      }
    }
    try {
      return guard.when() == null || guard.when().holds(walk.after(visit, answer))
          ? null
          : "Expected the guard of '%s' to hold, but it does not: %s"
              .formatted(
                  activity.id(), guard.message() == null ? guard.when().source() : guard.message());
    } catch (ExpressionException e) {
      return "Expected the guard of '%s' to hold, but it has no value: %s"
          .formatted(activity.id(), e.getMessage());
    }
  }
}
