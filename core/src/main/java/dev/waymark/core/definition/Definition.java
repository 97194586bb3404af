package dev.waymark.core.definition;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.expression.Template;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process as data: the graph of activities that runs follow. Immutable; a changed text is another
 * version, and runs stay on theirs.
 *
 * @param id the number under which the store keeps this version, 0 before it is deployed
 * @param version 1, 2, 3 … within its key
 * @param input checks what a run is started with; absent, anything goes
 * @param variables what every run starts with, below its input
 * @param labels search labels computed from the variables
 * @param source the text it was read from, which is what is stored
 */
public record Definition(
    long id,
    String key,
    int version,
    String name,
    @Nullable InputSchema input,
    Map<String, @Nullable Object> variables,
    Map<String, Template> labels,
    int maxVisits,
    String start,
    Map<String, Activity> activities,
    Graph graph,
    String source) {

  public Definition {
    requireNonNull(key, "key");
    requireNonNull(name, "name");
    requireNonNull(start, "start");
    activities = Map.copyOf(activities);
    if (!activities.containsKey(start)) {
      throw new IllegalArgumentException(
          "Expected the start activity among %s, but got '%s'"
              .formatted(activities.keySet(), start));
    }
  }

  public Activity activity(String activityId) {
    Activity activity = activities.get(activityId);
    if (activity == null) {
      throw new IllegalStateException(
          "Expected definition %s to have activity '%s', but it has %s"
              .formatted(this, activityId, activities.keySet()));
    }
    return activity;
  }

  public Definition deployedAs(long newId, int newVersion) {
    return new Definition(
        newId,
        key,
        newVersion,
        name,
        input,
        variables,
        labels,
        maxVisits,
        start,
        activities,
        graph,
        source);
  }

  @Override
  public String toString() {
    return key + " v" + version;
  }
}
