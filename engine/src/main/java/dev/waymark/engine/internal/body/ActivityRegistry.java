package dev.waymark.engine.internal.body;

import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.WithSchema;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.TransactionalActivity;
import dev.waymark.engine.spi.Pace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The activities that this process can run, by type. */
public final class ActivityRegistry {

  /**
   * An activity or a transactional activity; exactly one of the two is there.
   *
   * @param sharesThreads asked once, when it is registered, because that is user code too
   */
  record RegisteredActivity(
      @Nullable Activity activity,
      @Nullable TransactionalActivity transactional,
      boolean sharesThreads,
      Pace pace) {}

  private final Map<String, RegisteredActivity> entries = new LinkedHashMap<>();

  public void add(String type, Activity activity) {
    add(type, new RegisteredActivity(activity, null, activity.sharesThreads(), new Pace()));
  }

  public void add(String type, TransactionalActivity activity) {
    add(type, new RegisteredActivity(null, activity, false, new Pace()));
  }

  private void add(String type, RegisteredActivity entry) {
    if (Kinds.builtIn().stream().anyMatch(kind -> kind.name().equals(type))) {
      throw new IllegalArgumentException(
          "Expected a type of your own, but '" + type + "' is built in");
    }
    // Compiled for its faults alone: they belong to the line that registers it.
    var unused = WithSchema.of(new Registered(type, entry));
    if (entries.putIfAbsent(type, entry) != null) {
      throw new IllegalArgumentException(
          "Expected every activity type once, but '" + type + "' was registered twice");
    }
  }

  public @Nullable RegisteredActivity find(String type) {
    return entries.get(type);
  }

  /** All types that a definition may name. */
  public Collection<ActivityType> types() {
    List<ActivityType> types = new ArrayList<>(Kinds.builtIn());
    entries.forEach((name, entry) -> types.add(new Registered(name, entry)));
    return types;
  }

  private record Registered(String name, RegisteredActivity entry) implements ActivityType {

    @Override
    public Map<String, @Nullable Object> schema() {
      if (entry.activity() != null) {
        return entry.activity().schema();
      }
      return entry.transactional() == null ? Map.of() : entry.transactional().schema();
    }

    @Override
    public boolean waits() {
      return entry.activity() != null && entry.activity().waits();
    }
  }
}
