package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of one of the program's flows. */
final class Course {

  /** A message that nobody has taken yet. */
  record Kept(String name, Map<String, @Nullable Object> payload, @Nullable Event cause) {}

  final Flow flow;
  final @Nullable Visit starter;
  final List<Kept> kept = new ArrayList<>();
  private final Map<String, Activity> activities = new HashMap<>();
  private final Map<Visit, Map<String, Integer>> loops = new HashMap<>();
  private @Nullable Visit root;
  @Nullable String status;
  @Nullable String code;

  /** Whether an operator holds the run, so that nothing in it goes on. */
  boolean held;

  /** Deeds that wait until the run is let go. */
  private final List<Runnable> heldBack = new ArrayList<>();

  Course(Flow flow, @Nullable Visit starter) {
    this.flow = flow;
    this.starter = starter;
    index(flow.block());
  }

  private void index(Block block) {
    block
        .activities()
        .forEach(
            (id, activity) -> {
              activities.put(id, activity);
              Block inside = activity.block();
              if (inside != null) {
                index(inside);
              }
            });
  }

  Visit root() {
    return Objects.requireNonNull(root, "root");
  }

  void root(Visit visit) {
    root = visit;
  }

  Activity activity(String id) {
    return Objects.requireNonNull(activities.get(id), id);
  }

  /** Counts a visit, and tells whether it is one too many without a wait. */
  boolean spins(Visit scope, String activity) {
    int count = loops.computeIfAbsent(scope, s -> new HashMap<>()).merge(activity, 1, Integer::sum);
    return count > flow.maxVisits() && reaches(activity, activity, Set.of());
  }

  /** A wait lies between: whatever loop this is, it does not spin. */
  void waited() {
    loops.clear();
  }

  /** Does something now, or as soon as the run is no longer held. */
  void whenFree(Runnable deed) {
    if (held) {
      heldBack.add(deed);
    } else {
      deed.run();
    }
  }

  /** Ends the hold, and gives back the deeds that waited for it. */
  List<Runnable> letGo() {
    held = false;
    List<Runnable> deeds = List.copyOf(heldBack);
    heldBack.clear();
    return deeds;
  }

  Stream<String> joins() {
    return activities.values().stream()
        .filter(a -> a.kind() instanceof Kind.Join)
        .map(Activity::id);
  }

  /** Whether one who stands at an activity can come to another, on a way that avoids some. */
  boolean reaches(String from, String to, Set<String> avoiding) {
    Set<String> seen = new HashSet<>(avoiding);
    List<String> open = new ArrayList<>(activity(from).targets().toList());
    while (!open.isEmpty()) {
      String next = open.removeLast();
      if (seen.add(next)) {
        if (next.equals(to)) {
          return true;
        }
        activity(next).targets().forEach(open::add);
      }
    }
    return false;
  }
}
