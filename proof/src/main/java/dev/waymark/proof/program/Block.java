package dev.waymark.proof.program;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Activities of one scope, and the one that is entered first. */
public record Block(String start, Map<String, Activity> activities) {

  /**
   * A block without what nothing leads to.
   *
   * @param others what else may be entered besides the start
   */
  static Block of(String start, List<String> others, Map<String, Activity> activities) {
    Map<String, Activity> reached = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>(others);
    open.add(start);
    while (!open.isEmpty()) {
      Activity activity = Objects.requireNonNull(activities.get(open.remove()));
      if (reached.put(activity.id(), activity) == null) {
        activity.targets().forEach(open::add);
        if (activity.compensate() != null) {
          open.add(activity.compensate());
        }
      }
    }
    reached.replaceAll((id, activity) -> withTarget(activity, reached));
    return new Block(start, Collections.unmodifiableMap(reached));
  }

  // What undoes one activity that is not there after all undoes everything.
  private static Activity withTarget(Activity activity, Map<String, Activity> reached) {
    return activity.kind() instanceof Kind.Compensate compensate
            && !reached.containsKey(compensate.activity())
        ? activity.kind(new Kind.Compensate(null))
        : activity;
  }
}
