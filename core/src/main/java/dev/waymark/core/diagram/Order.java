package dev.waymark.core.diagram;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Puts the nodes of each rank into an order in which few arrows cross: each near the middle of its
 * neighbours, again and again, downwards and upwards; the best that was seen is kept.
 */
final class Order {

  private static final int SWEEPS = 12;

  private final Layers layers;
  private final List<List<Integer>> above;
  private final List<List<Integer>> below;
  private final int[] place;
  private final double[] middle;

  Order(Layers layers) {
    this.layers = layers;
    this.above = neighbours(layers, true);
    this.below = neighbours(layers, false);
    this.place = new int[layers.size()];
    this.middle = new double[layers.size()];
  }

  /** For each node those that arrows join it with, in the rank above or in the one below. */
  static List<List<Integer>> neighbours(Layers layers, boolean above) {
    List<List<Integer>> neighbours = new ArrayList<>();
    for (int node = 0; node < layers.size(); node++) {
      neighbours.add(new ArrayList<>(2));
    }
    for (List<Integer> way : layers.ways) {
      for (int i = 1; i < way.size(); i++) {
        int upper = way.get(i - 1);
        int lower = way.get(i);
        neighbours.get(above ? lower : upper).add(above ? upper : lower);
      }
    }
    return neighbours;
  }

  void improve() {
    layers.ranks.forEach(this::remember);
    long fewest = crossings();
    List<List<Integer>> best = copy();
    for (int sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
      boolean down = sweep % 2 == 0;
      for (int i = 1; i < layers.ranks.size(); i++) {
        List<Integer> rank = layers.ranks.get(down ? i : layers.ranks.size() - 1 - i);
        sort(rank, down ? above : below);
      }
      long crossings = crossings();
      if (crossings < fewest) {
        fewest = crossings;
        best = copy();
      }
    }
    for (int i = 0; i < best.size(); i++) {
      layers.ranks.set(i, best.get(i));
    }
  }

  private List<List<Integer>> copy() {
    List<List<Integer>> copy = new ArrayList<>();
    layers.ranks.forEach(rank -> copy.add(new ArrayList<>(rank)));
    return copy;
  }

  private void remember(List<Integer> rank) {
    for (int i = 0; i < rank.size(); i++) {
      place[rank.get(i)] = i;
    }
  }

  private void sort(List<Integer> rank, List<List<Integer>> fixed) {
    for (int node : rank) {
      middle[node] =
          fixed.get(node).stream().mapToInt(other -> place[other]).average().orElse(place[node]);
    }
    rank.sort(Comparator.comparingDouble(node -> middle[node]));
    remember(rank);
  }

  private long crossings() {
    long crossings = 0;
    for (List<Integer> rank : layers.ranks) {
      crossings += crossings(rank);
    }
    return crossings;
  }

  /** Two arrows cross if one begins to the left of the other and ends to the right of it. */
  private long crossings(List<Integer> rank) {
    List<Integer> ends = new ArrayList<>();
    int last = 0;
    for (int node : rank) {
      int[] places = below.get(node).stream().mapToInt(other -> place[other]).sorted().toArray();
      for (int end : places) {
        ends.add(end);
        last = Math.max(last, end);
      }
    }
    // The number of ends so far that lie at or before a place: a Fenwick tree.
    int[] tree = new int[last + 2];
    long crossings = 0;
    for (int seen = 0; seen < ends.size(); seen++) {
      int end = ends.get(seen);
      int before = 0;
      for (int i = end + 1; i > 0; i -= i & -i) {
        before += tree[i];
      }
      crossings += seen - before;
      for (int i = end + 1; i < tree.length; i += i & -i) {
        tree[i]++;
      }
    }
    return crossings;
  }
}
