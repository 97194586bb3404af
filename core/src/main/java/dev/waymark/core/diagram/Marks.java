package dev.waymark.core.diagram;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Instance;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of each activity in a run. */
final class Marks {

  /**
   * The state of an activity as a diagram shows it. Where it is visited several times, the last of
   * these states is shown.
   */
  enum State {
    COMPLETED,
    READY,
    RUNNING,
    WAITING,
    PARKED
  }

  /**
   * The state of one activity.
   *
   * @param count visits in this state
   */
  record Mark(State state, int count) {

    String text() {
      String word = state.name().toLowerCase(Locale.ROOT);
      return count > 1 ? word + " ×" + count : word;
    }
  }

  static final Marks NONE = new Marks(Map.of());

  private final Map<String, Mark> marks;

  private Marks(Map<String, Mark> marks) {
    this.marks = marks;
  }

  /**
   * Reads the marks from a run's visits.
   *
   * @param completed activities that are behind the run; a live visit to one is shown instead
   */
  static Marks of(Instance instance, Set<String> completed) {
    Map<String, Mark> marks = new HashMap<>();
    completed.forEach(activity -> marks.put(activity, new Mark(State.COMPLETED, 1)));
    for (ActivityInstance visit : instance.activities().values()) {
      marks.merge(visit.activity(), new Mark(state(visit), 1), Marks::worse);
    }
    return new Marks(marks);
  }

  private static State state(ActivityInstance visit) {
    return switch (visit.state()) {
      case READY -> State.READY;
      case RUNNING -> State.RUNNING;
      case WAITING -> State.WAITING;
      case PARKED -> State.PARKED;
      case KEPT -> State.COMPLETED;
    };
  }

  /**
   * A person looks for visits that are stuck, so several visits are summed up to the worst state.
   */
  private static Mark worse(Mark one, Mark other) {
    if (one.state() == other.state()) {
      return new Mark(one.state(), one.count() + other.count());
    }
    return one.state().compareTo(other.state()) > 0 ? one : other;
  }

  @Nullable Mark of(String activity) {
    return marks.get(activity);
  }
}
