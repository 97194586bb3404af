package dev.waymark.core.definition;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The activities that can follow each activity, worked out once on deploy.
 *
 * <p>A join asks it whether anything that still runs can arrive, and the visit budget counts only
 * activities that lie on a cycle. Activities are numbered and sets of them are bits: a thousand
 * activities that all reach each other take 125 KB and some milliseconds, where sets of names would
 * take 30 MB for as long as the definition is kept.
 */
public final class Graph {

  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final BitSet[] targets;
  private final BitSet[] reachable;

  /**
   * @param targets for every activity, the activities it can lead to directly
   */
  public Graph(Map<String, List<String>> targets) {
    targets.keySet().forEach(activity -> numbers.put(activity, numbers.size()));
    this.targets = new BitSet[numbers.size()];
    this.reachable = new BitSet[numbers.size()];
    int number = 0;
    for (List<String> to : targets.values()) {
      this.targets[number++] = bits(to);
    }
    for (int from = 0; from < reachable.length; from++) {
      reachable[from] = reachableFrom(from, new BitSet());
    }
  }

  private BitSet reachableFrom(int from, BitSet avoiding) {
    BitSet seen = new BitSet(targets.length);
    BitSet open = (BitSet) targets[from].clone();
    open.andNot(avoiding);
    for (int next = open.nextSetBit(0); next >= 0; next = open.nextSetBit(0)) {
      seen.set(next);
      open.or(targets[next]);
      open.andNot(seen);
      open.andNot(avoiding);
    }
    return seen;
  }

  /** True if a run that stands at one activity, and leaves it, can come to the other. */
  public boolean reaches(String from, String to) {
    return reaches(from, to, Set.of());
  }

  /** The same, on a way that passes through none of the given activities. */
  public boolean reaches(String from, String to, Set<String> avoiding) {
    Integer start = numbers.get(from);
    Integer end = numbers.get(to);
    if (start == null || end == null || !reachable[start].get(end)) {
      return false;
    }
    return avoiding.isEmpty() || reachableFrom(start, bits(avoiding)).get(end);
  }

  public boolean onCycle(String activity) {
    return reaches(activity, activity);
  }

  private BitSet bits(Iterable<String> activities) {
    BitSet bits = new BitSet(numbers.size());
    for (String activity : activities) {
      Integer number = numbers.get(activity);
      if (number != null) {
        bits.set(number);
      }
    }
    return bits;
  }
}
