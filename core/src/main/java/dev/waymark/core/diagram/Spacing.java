package dev.waymark.core.diagram;

import java.util.Arrays;
import java.util.List;

/**
 * Finds a place from left to right for each node of each rank: near the middle of its neighbours,
 * so that arrows are short and straight, without changing the order or touching another node.
 */
final class Spacing {

  private static final int SWEEPS = 16;

  /** A bend that wanders makes a long arrow crooked, so bends are moved least. */
  private static final double BEND_WEIGHT = 4;

  private static final double FREE_WEIGHT = 0.01;

  private final Layers layers;
  private final double[] widths;
  private final double gap;
  private final double[] middle;

  /**
   * @param widths of each node and bend
   * @param gap the free space between two of them
   */
  Spacing(Layers layers, double[] widths, double gap) {
    this.layers = layers;
    this.widths = widths;
    this.gap = gap;
    this.middle = new double[layers.size()];
  }

  /** The middle of each node; the leftmost edge of all is at 0. */
  double[] find() {
    List<List<Integer>> above = Order.neighbours(layers, true);
    List<List<Integer>> below = Order.neighbours(layers, false);
    for (List<Integer> rank : layers.ranks) {
      place(rank, new double[rank.size()], ones(rank.size()));
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      boolean down = sweep % 2 == 0;
      for (int i = 0; i < layers.ranks.size(); i++) {
        pull(layers.ranks.get(down ? i : layers.ranks.size() - 1 - i), down ? above : below);
      }
    }
    double left = Double.MAX_VALUE;
    for (int node = 0; node < middle.length; node++) {
      left = Math.min(left, middle[node] - widths[node] / 2);
    }
    for (int node = 0; node < middle.length; node++) {
      middle[node] -= left;
    }
    return middle;
  }

  private void pull(List<Integer> rank, List<List<Integer>> fixed) {
    double[] wanted = new double[rank.size()];
    double[] weights = new double[rank.size()];
    for (int i = 0; i < rank.size(); i++) {
      int node = rank.get(i);
      List<Integer> others = fixed.get(node);
      wanted[i] =
          others.stream().mapToDouble(other -> middle[other]).average().orElse(middle[node]);
      weights[i] = others.isEmpty() ? FREE_WEIGHT : layers.isBend(node) ? BEND_WEIGHT : 1;
    }
    place(rank, wanted, weights);
  }

  /**
   * The places nearest to the wanted ones, by least squares, that keep order and distance. Nodes
   * that push each other form a block, which stands where its members want it on average.
   */
  private void place(List<Integer> rank, double[] wanted, double[] weights) {
    int size = rank.size();
    double[] offset = new double[size];
    for (int i = 1; i < size; i++) {
      offset[i] = offset[i - 1] + (widths[rank.get(i - 1)] + widths[rank.get(i)]) / 2 + gap;
    }
    double[] sum = new double[size];
    double[] weight = new double[size];
    int[] end = new int[size];
    int blocks = 0;
    for (int i = 0; i < size; i++) {
      sum[blocks] = (wanted[i] - offset[i]) * weights[i];
      weight[blocks] = weights[i];
      end[blocks] = i + 1;
      while (blocks > 0 && sum[blocks - 1] / weight[blocks - 1] >= sum[blocks] / weight[blocks]) {
        sum[blocks - 1] += sum[blocks];
        weight[blocks - 1] += weight[blocks];
        end[blocks - 1] = end[blocks];
        blocks--;
      }
      blocks++;
    }
    for (int i = 0, block = 0; i < size; i++) {
      block += i == end[block] ? 1 : 0;
      middle[rank.get(i)] = sum[block] / weight[block] + offset[i];
    }
  }

  private static double[] ones(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }
}
