package dev.waymark.core.step.people;

import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.walk.Walk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Comments and attachments of a task or an approval, kept with its visit until that ends. */
final class TaskComments {

  private TaskComments() {}

  static @Nullable Rejection add(Walk walk, ActivityInstance visit, TaskAction act) {
    String where = act instanceof TaskAction.Attach ? "attachments" : "comments";
    List<@Nullable Object> remarks = new ArrayList<>(list(visit, where));
    if (remarks.size() >= Limits.REMARKS) {
      return Rejection.of(
          WRONG_STATE,
          "Expected at most %d %s, but there are as many already".formatted(Limits.REMARKS, where));
    }
    Map<String, @Nullable Object> remark = new LinkedHashMap<>(act.toDocument());
    remark.put("by", walk.actor());
    remark.put("at", walk.at().toString());
    remarks.add(remark);
    walk.put(visit.with(where, remarks));
    walk.note(visit, act);
    return null;
  }

  private static List<? extends @Nullable Object> list(ActivityInstance visit, String where) {
    return visit.data().get(where) instanceof List<?> list ? list : List.of();
  }
}
