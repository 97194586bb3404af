package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads from a world that has come to rest what became of the program. */
final class Telling {

  private final World world;

  Telling(World world) {
    this.world = world;
  }

  /**
   * The outcome.
   *
   * @param ordered whether it says what is before what
   */
  Outcome outcome(@Nullable String stuck, boolean ordered) {
    Map<Integer, Integer> bits = ordered ? bits() : Map.of();
    Map<Event, BitSet> known = new HashMap<>();
    List<Outcome.Seen> seen = new ArrayList<>();
    for (Visit visit : world.visits) {
      boolean over = visit.end != null && !visit.isGroup();
      seen.add(
          new Outcome.Seen(
              visit.course.flow.key(),
              Objects.requireNonNull(visit.activity).id(),
              visit.label,
              how(visit),
              visit.beganAt,
              over ? visit.endedAt : -1,
              ordered ? before(visit.begun, known, bits) : new BitSet(),
              ordered && over ? before(visit.ended, known, bits) : new BitSet()));
    }
    String problem = world.ambiguous ? "A wait and its signal began at once" : stuck;
    return new Outcome(seen, world.courses.stream().map(this::endOf).toList(), problem);
  }

  /** The bit of every event that history tells of. */
  private Map<Integer, Integer> bits() {
    Map<Integer, Integer> bits = new HashMap<>();
    for (int i = 0; i < world.visits.size(); i++) {
      Visit visit = world.visits.get(i);
      bits.put(visit.begun.number, 2 * i);
      if (visit.ended != null && !visit.isGroup()) {
        bits.put(visit.ended.number, 2 * i + 1);
      }
    }
    return bits;
  }

  private static BitSet before(
      @Nullable Event event, Map<Event, BitSet> known, Map<Integer, Integer> bits) {
    BitSet before = new BitSet();
    Objects.requireNonNull(event).before(known).stream()
        .mapToObj(bits::get)
        .filter(Objects::nonNull)
        .forEach(before::set);
    return before;
  }

  // A group is over with its last branch; whether anybody ended it then is a matter of words.
  private static String how(Visit visit) {
    if (visit.end == null) {
      return "ALIVE";
    }
    return visit.isGroup() ? Visit.End.OVER.name() : visit.end.name();
  }

  private Outcome.Ended endOf(Course course) {
    boolean parked =
        world.visits.stream().anyMatch(v -> v.course == course && v.alive() && v.parked);
    String status = course.status != null ? course.status : parked ? "SUSPENDED" : "RUNNING";
    return new Outcome.Ended(
        course.flow.key(), status, course.code, new HashMap<>(course.root().inside.own));
  }
}
