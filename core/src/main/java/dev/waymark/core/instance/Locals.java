package dev.waymark.core.instance;

import dev.waymark.core.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables that belong to visits with an inside: a scope's own, an item and its number.
 *
 * <p>A name that such a visit has is its own; every other name means the variables further out. So
 * reading lays the inner ones over the outer, and writing looks for the owner of each name.
 */
public final class Locals {

  private static final String DATA = "locals";

  /**
   * On a visit that undoes another: the input and output of that one. Such a visit sees the
   * variables of the scope that the other stood in, which may be gone; they are its own.
   */
  public static final String UNDOES = "undoes";

  private Locals() {}

  /**
   * The container in which a visit looks for variables: first the innermost scope around the visit,
   * then outwards.
   */
  public static long placeOf(ActivityInstance visit) {
    return visit.data().containsKey(UNDOES) ? visit.visit() : visit.parent();
  }

  public static ActivityInstance of(
      ActivityInstance visit, Map<String, @Nullable Object> variables) {
    return visit.with(DATA, Json.objectOf(variables));
  }

  /** The variables that a visit has for its inside. */
  public static Map<String, @Nullable Object> of(ActivityInstance visit) {
    return visit.data().get(DATA) instanceof Map<?, ?> map ? Json.object(map) : Map.of();
  }

  /**
   * The variables that are seen inside the given container.
   *
   * @param container a visit with an inside, or one of its groups, or 0 for the whole run
   */
  public static Map<String, @Nullable Object> seenFrom(
      Map<Long, ActivityInstance> activities,
      Map<String, @Nullable Object> variables,
      long container) {
    Deque<Map<String, @Nullable Object>> layers = new ArrayDeque<>();
    ActivityInstance visit = activities.get(container);
    while (visit != null) {
      Map<String, @Nullable Object> own = of(visit);
      if (!own.isEmpty()) {
        layers.push(own);
      }
      visit = activities.get(visit.parent());
    }
    if (layers.isEmpty()) {
      return variables;
    }
    Map<String, @Nullable Object> seen = new LinkedHashMap<>(variables);
    layers.forEach(seen::putAll);
    return Json.objectOf(seen);
  }

  /** The innermost visit, from the given container outwards, that has this name; or absent. */
  public static @Nullable ActivityInstance owner(
      Map<Long, ActivityInstance> activities, long container, String name) {
    ActivityInstance visit = activities.get(container);
    while (visit != null && !of(visit).containsKey(name)) {
      visit = activities.get(visit.parent());
    }
    return visit;
  }
}
