package dev.waymark.core.definition;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.schema.InputSchema;
import dev.waymark.core.expression.Template;
import dev.waymark.core.time.Calendar;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process as data: the graph of activities that runs follow. Immutable; a changed text is another
 * version, and runs stay on theirs.
 *
 * @param id the number under which the store keeps this version, 0 before it is deployed
 * @param version 1, 2, 3 … within its key
 * @param input the schema for the data that a run is started with; if absent, any data is accepted
 * @param variables the variables that every run starts with, below its input
 * @param labels search labels computed from the variables
 * @param output the run's result; absent, all its variables are
 * @param starts the messages that begin a run
 * @param calendars working hours by name, for timers and due dates
 * @param activities all of them, also those inside of others, in the order of the text
 * @param root the whole run as one activity around all others: where its own reactions stand
 * @param source the text it was read from; the store keeps this text
 * @param warnings hints for its author, each with its path; deploying logs them
 */
public record Definition(
    long id,
    String key,
    int version,
    String name,
    @Nullable InputSchema input,
    Map<String, @Nullable Object> variables,
    Map<String, Template> labels,
    @Nullable Template output,
    List<MessageStart> starts,
    Map<String, Calendar> calendars,
    int maxVisits,
    String start,
    Map<String, Activity> activities,
    Activity root,
    Graph graph,
    String source,
    List<String> warnings) {

  /** The id, and the type, of the whole run as an activity. */
  public static final String ROOT = "$root";

  public Definition {
    requireNonNull(key, "key");
    requireNonNull(name, "name");
    requireNonNull(start, "start");
    starts = List.copyOf(starts);
    warnings = List.copyOf(warnings);
    calendars = Map.copyOf(calendars);
    activities = Collections.unmodifiableMap(new LinkedHashMap<>(activities));
    if (!activities.containsKey(start)) {
      throw new IllegalArgumentException(
          "Expected the start activity among %s, but got '%s'"
              .formatted(activities.keySet(), start));
    }
  }

  public Activity activity(String activityId) {
    Activity activity = activityId.equals(ROOT) ? root : activities.get(activityId);
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
        output,
        starts,
        calendars,
        maxVisits,
        start,
        activities,
        root,
        graph,
        source,
        warnings);
  }

  @Override
  public String toString() {
    return key + " v" + version;
  }
}
