package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One visit to an activity, while it lives. The set of live visits is the position of the run; a
 * visit that ends is deleted, history keeps the rest.
 *
 * <p>Three numbers, not one: {@code visit} is its identity, and idempotency keys derive from it;
 * {@code attempt} is the fence, one more in the step that lets a body start; {@code failures} and
 * {@code crashes} are budgets, counted before the body runs again.
 *
 * @param parent the visit that encloses this one (a fork or a scope), 0 at the top
 * @param node the node that runs it; present exactly while it is {@code RUNNING}
 * @param due when a {@code READY} visit may be taken; a ready visit without one is held back
 * @param data the memory of the activity's kind between steps: its evaluated input, a resumption,
 *     the arrivals at a join
 */
public record ActivityInstance(
    long visit,
    String activity,
    long parent,
    State state,
    int attempt,
    int failures,
    int crashes,
    @Nullable NodeId node,
    @Nullable Instant due,
    Instant entered,
    Map<String, @Nullable Object> data,
    @Nullable Fault fault) {

  /** The state of a visit. The order is stored: never reorder, append only. */
  public enum State {
    READY,
    RUNNING,
    WAITING,
    PARKED,
    /** Done, and remembered: for a compensation that may come, or as a part of a visit's result. */
    KEPT
  }

  public ActivityInstance {
    requireNonNull(activity, "activity");
    requireNonNull(state, "state");
    requireNonNull(entered, "entered");
    if (visit < 1 || parent < 0 || attempt < 0 || failures < 0 || crashes < 0) {
      throw new IllegalArgumentException(
          "Expected visit ≥ 1 and parent, attempt, failures, crashes ≥ 0, but got %d, %d, %d, %d, %d"
              .formatted(visit, parent, attempt, failures, crashes));
    }
    if ((state == State.RUNNING) != (node != null)) {
      throw new IllegalArgumentException(
          "Expected a node exactly while running, but visit %d is %s on %s"
              .formatted(visit, state, node));
    }
    if (due != null && state != State.READY) {
      throw new IllegalArgumentException(
          "Expected a due time only while ready, but visit " + visit + " is " + state);
    }
  }

  /** True if nothing differs, also not the order of keys in its data, which expressions see. */
  @SuppressWarnings("ReferenceEquality") // Most visits of a wide run are untouched by a step.
  public boolean isSame(ActivityInstance other) {
    return this == other || (equals(other) && Json.isSame(data, other.data));
  }

  public static ActivityInstance entered(
      long visit, String activity, long parent, Map<String, @Nullable Object> data, Instant at) {
    return new ActivityInstance(
        visit, activity, parent, State.WAITING, 0, 0, 0, null, null, at, data, null);
  }

  /** The step that lets a body start: this is where the fence moves. */
  public ActivityInstance running(NodeId on) {
    return new ActivityInstance(
        visit,
        activity,
        parent,
        State.RUNNING,
        attempt + 1,
        failures,
        crashes,
        on,
        null,
        entered,
        data,
        fault);
  }

  public ActivityInstance ready(@Nullable Instant from) {
    return new ActivityInstance(
        visit,
        activity,
        parent,
        State.READY,
        attempt,
        failures,
        crashes,
        null,
        from,
        entered,
        data,
        fault);
  }

  public ActivityInstance waiting() {
    return new ActivityInstance(
        visit,
        activity,
        parent,
        State.WAITING,
        attempt,
        failures,
        crashes,
        null,
        null,
        entered,
        data,
        fault);
  }

  /** Done, and remembered below the given container. */
  public ActivityInstance kept(long container, Map<String, @Nullable Object> what) {
    return new ActivityInstance(
        visit, activity, container, State.KEPT, attempt, 0, 0, null, null, entered, what, null);
  }

  /** True if the run still stands here, as opposed to a visit that is only remembered. */
  public boolean isLive() {
    return state != State.KEPT;
  }

  public ActivityInstance parked(Fault because) {
    return new ActivityInstance(
        visit,
        activity,
        parent,
        State.PARKED,
        attempt,
        failures,
        crashes,
        null,
        null,
        entered,
        data,
        because);
  }

  public ActivityInstance failed(Fault because) {
    return new ActivityInstance(
        visit,
        activity,
        parent,
        state,
        attempt,
        failures + 1,
        crashes,
        node,
        due,
        entered,
        data,
        because);
  }

  public ActivityInstance crashed() {
    return new ActivityInstance(
        visit,
        activity,
        parent,
        state,
        attempt,
        failures,
        crashes + 1,
        node,
        due,
        entered,
        data,
        fault);
  }

  /** A person has looked: the budgets start anew, the visit and so its idempotency keys stay. */
  public ActivityInstance forgiven() {
    return new ActivityInstance(
        visit, activity, parent, state, attempt, 0, 0, node, due, entered, data, fault);
  }

  /** The same visit to an activity that has another name in another version. */
  public ActivityInstance at(String newActivity) {
    return new ActivityInstance(
        visit,
        newActivity,
        parent,
        state,
        attempt,
        failures,
        crashes,
        node,
        due,
        entered,
        data,
        fault);
  }

  /** The same visit under another parent: a join that has fired belongs to its fork's parent. */
  public ActivityInstance movedTo(long newParent) {
    return new ActivityInstance(
        visit, activity, newParent, state, attempt, failures, crashes, node, due, entered, data,
        fault);
  }

  public ActivityInstance with(Map<String, @Nullable Object> newData) {
    return new ActivityInstance(
        visit, activity, parent, state, attempt, failures, crashes, node, due, entered, newData,
        fault);
  }

  public ActivityInstance with(String name, @Nullable Object value) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>(data);
    if (value == null) {
      changed.remove(name);
    } else {
      changed.put(name, value);
    }
    return with(Collections.unmodifiableMap(changed));
  }

  /**
   * The document that history keeps of a visit, and from which a visit is rebuilt. Absent means the
   * default.
   */
  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("activity", activity);
    document.put("state", state.name());
    if (parent > 0) document.put("parent", parent);
    if (attempt > 0) document.put("attempt", (long) attempt);
    if (failures > 0) document.put("failures", (long) failures);
    if (crashes > 0) document.put("crashes", (long) crashes);
    if (node != null) document.put("node", node.toString());
    if (due != null) document.put("due", due.toString());
    if (!data.isEmpty()) document.put("data", data);
    if (fault != null) document.put("fault", fault.toDocument());
    return document;
  }
}
