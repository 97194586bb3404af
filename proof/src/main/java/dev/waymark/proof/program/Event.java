package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, and what it surely happened after.
 *
 * <p>Where it waited for the first few of several things that run side by side, nobody can say for
 * which: it is surely after only what precedes so many of them that it could not do without.
 */
final class Event {

  final int number;
  private final List<Event> after;
  private final int needed;

  private Event(int number, List<Event> after, int needed) {
    this.number = number;
    this.after = after;
    this.needed = needed;
  }

  static Event afterAll(int number, List<Event> events) {
    return new Event(number, List.copyOf(events), events.size());
  }

  /**
   * @param events those that have happened and, added later, those that could have been earlier
   */
  static Event afterSome(int number, List<Event> events, int needed) {
    return new Event(number, events, needed);
  }

  /** The numbers of all events that are surely before this one. */
  BitSet before(Map<Event, BitSet> known) {
    BitSet before = known.get(this);
    if (before == null) {
      before = reckon(known);
      known.put(this, before);
    }
    return before;
  }

  private BitSet reckon(Map<Event, BitSet> known) {
    List<BitSet> pasts = new ArrayList<>();
    BitSet any = new BitSet();
    for (Event event : after) {
      BitSet past = (BitSet) event.before(known).clone();
      past.set(event.number);
      pasts.add(past);
      any.or(past);
    }
    int enough = after.size() - needed + 1;
    if (enough > 1) {
      any.stream()
          .filter(e -> pasts.stream().filter(past -> past.get(e)).count() < enough)
          .forEach(any::clear);
    }
    return any;
  }

  /** Whether this is surely before another, as far as it is known by now. */
  boolean precedes(Event other) {
    return precedes(this, other, new HashMap<>());
  }

  static boolean precedes(@Nullable Event first, @Nullable Event second, Map<Event, BitSet> known) {
    return first != null && second != null && second.before(known).get(first.number);
  }
}
