package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Compensation: what is completed is undone in reverse order, one after another, each once. */
final class Undoing {

  private final World world;
  private final Moves moves;

  Undoing(World world, Moves moves) {
    this.world = world;
    this.moves = moves;
  }

  /** A completed visit can be undone by its handler, or as a scope by what is in it. */
  void remember(Visit visit) {
    Activity activity = Objects.requireNonNull(visit.activity);
    if (activity.compensate() != null) {
      add(visit, List.of());
    } else if (!visit.undos.isEmpty()) {
      add(visit, List.copyOf(visit.undos));
    }
  }

  /** The same for an item of a for-each, which the for-each keeps. */
  void rememberItem(Visit item, Visit each, Event completed) {
    if (!item.undos.isEmpty()) {
      each.undos.add(new Visit.Undo(item, completed, List.copyOf(item.undos)));
    }
  }

  private void add(Visit visit, List<Visit.Undo> inside) {
    Visit scope = Objects.requireNonNull(visit.parent).scope();
    scope.undos.add(new Visit.Undo(visit, Objects.requireNonNull(visit.ended), inside));
  }

  /** What is completed in a scope, all of it or one activity's: the last first. */
  List<Visit.Undo> of(Visit scope, @Nullable String activity) {
    List<Visit.Undo> wanted = new ArrayList<>();
    List<Visit.Undo> all = new ArrayList<>();
    for (Visit.Undo undo : scope.undos) {
      boolean meant = activity == null || activity.equals(idOf(undo.undone()));
      wanted.addAll(meant ? flat(undo) : List.of());
      all.addAll(meant ? flat(undo) : List.of(undo));
    }
    scope.undos.clear();
    scope.undos.addAll(all);
    wanted.sort(Comparator.comparingInt(undo -> -undo.completed().number));
    return wanted;
  }

  private static @Nullable String idOf(Visit visit) {
    return visit.activity == null ? null : visit.activity.id();
  }

  /** The same for a visit that is about to be cancelled, with everything inside it however deep. */
  List<Visit.Undo> allInside(Visit visit) {
    List<Visit.Undo> all = new ArrayList<>();
    collect(visit, all);
    visit.undos.addAll(all);
    return of(visit, null);
  }

  private static void collect(Visit visit, List<Visit.Undo> all) {
    all.addAll(visit.undos);
    visit.undos.clear();
    visit.children.forEach(child -> collect(child, all));
  }

  private static List<Visit.Undo> flat(Visit.Undo undo) {
    return undo.inside().isEmpty()
        ? List.of(undo)
        : undo.inside().stream().flatMap(inner -> flat(inner).stream()).toList();
  }

  /**
   * Runs handlers inside a visit, one after another. What is not yet begun stays remembered.
   *
   * @param scope where what they undo is remembered
   */
  void run(Visit place, Visit scope, List<Visit.Undo> undos, Event cause, Consumer<Event> then) {
    new Sequence(place, scope, undos, cause, then).next();
  }

  private final class Sequence {
    private final Visit place;
    private final Visit scope;
    private final List<Visit.Undo> undos;
    private final Event cause;
    private final Consumer<Event> then;
    private final Map<Visit.Undo, Event> done = new HashMap<>();

    Sequence(Visit place, Visit scope, List<Visit.Undo> undos, Event cause, Consumer<Event> then) {
      this.place = place;
      this.scope = scope;
      this.undos = undos;
      this.cause = cause;
      this.then = then;
    }

    void next() {
      if (done.size() == undos.size()) {
        List<Event> all = new ArrayList<>(done.values());
        all.add(cause);
        then.accept(world.eventAfter(all));
        return;
      }
      Visit.Undo undo = undos.get(done.size());
      scope.undos.remove(undo);
      String handler =
          Objects.requireNonNull(Objects.requireNonNull(undo.undone().activity).compensate());
      moves.send(
          new Visit.Token(
              handler,
              place,
              afterThoseThatCompletedLater(undo),
              undo,
              end -> {
                done.put(undo, end);
                next();
              }));
    }

    /** Only what is sure to have completed later is sure to be undone before. */
    private Event afterThoseThatCompletedLater(Visit.Undo undo) {
      Map<Event, BitSet> known = new HashMap<>();
      List<Event> before = new ArrayList<>();
      before.add(cause);
      done.forEach(
          (other, end) -> {
            if (Event.precedes(undo.completed(), other.completed(), known)) {
              before.add(end);
            }
          });
      return world.eventAfter(before);
    }
  }
}
