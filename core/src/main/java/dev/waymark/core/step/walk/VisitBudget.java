package dev.waymark.core.step.walk;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.instance.ActivityInstance;
import org.jspecify.annotations.Nullable;

/**
 * Bounds on what one step may go through and on how often a loop may turn: no run spins for ever.
 */
final class VisitBudget {

  private VisitBudget() {}

  /**
   * The reason why this visit would be one too many; absent if it is not.
   *
   * @param passed how many visits the step has begun, with this one
   */
  static @Nullable String overrun(
      Walk walk, ActivityInstance visit, Activity activity, int passed) {
    if (passed > Limits.ACTIVITIES_PER_STEP) {
      return "Expected a step to rest within %d activities, but it went on at '%s'"
          .formatted(Limits.ACTIVITIES_PER_STEP, activity.id());
    }
    InstanceDraft draft = walk.draft();
    if (draft.activities.size() > Limits.LIVE_ACTIVITIES) {
      return "Expected at most %d live activities, but '%s' would be one more"
          .formatted(Limits.LIVE_ACTIVITIES, activity.id());
    }
    if (!walk.definition().graph().onCycle(activity.id())) {
      return null;
    }
    // Items count separately, and so does every other visit that the activity stands inside of.
    long container = activity.scope() == null ? 0 : walk.containerOf(visit);
    int count = draft.countLoop(container == 0 ? activity.id() : activity.id() + "@" + container);
    int most = walk.definition().maxVisits();
    return count <= most
        ? null
        : "Expected at most %d visits to '%s' without a wait, but this is number %d"
            .formatted(most, activity.id(), count);
  }

  /** True if a step that has begun this number of visits should leave the rest to another step. */
  static boolean isLong(int passed) {
    return passed > Limits.ACTIVITIES_PER_STEP / 2;
  }
}
