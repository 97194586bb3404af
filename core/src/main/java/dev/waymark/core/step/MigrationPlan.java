package dev.waymark.core.step;

import dev.waymark.core.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan for moving runs from one version of a definition to another.
 *
 * @param activities the new activity for each activity of the old version that has another name
 *     now; the others keep their names
 * @param set variables that every run gets
 * @param remove variables that every run loses
 */
public record MigrationPlan(
    Map<String, String> activities, Map<String, @Nullable Object> set, List<String> remove) {

  /** A plan without changes: every activity keeps its name. */
  public static final MigrationPlan PLAIN = new MigrationPlan(Map.of(), Map.of(), List.of());

  public MigrationPlan {
    activities = Map.copyOf(activities);
    set = Json.objectOf(set);
    remove = List.copyOf(remove);
  }

  public MigrationPlan rename(String from, String to) {
    Map<String, String> more = new java.util.HashMap<>(activities);
    more.put(from, to);
    return new MigrationPlan(more, set, remove);
  }

  public MigrationPlan set(String variable, @Nullable Object value) {
    Map<String, @Nullable Object> more = new java.util.LinkedHashMap<>(set);
    more.put(variable, value);
    return new MigrationPlan(activities, more, remove);
  }

  public String targetOf(String activity) {
    return activities.getOrDefault(activity, activity);
  }
}
