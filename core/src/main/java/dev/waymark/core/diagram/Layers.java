package dev.waymark.core.diagram;

import dev.waymark.core.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Nodes in ranks, one below the other, so that arrows lead downwards.
 *
 * <p>An arrow that passes a rank gets a node of its own there, a bend, which keeps a place free for
 * it. Arrows that lead back up are left out, to be drawn apart; so are the longest ones where there
 * are so many bends that the picture would drown in them.
 */
final class Layers {

  /** An arrow between two nodes, by their numbers. */
  record Link(int from, int to) {}

  final int nodes;
  final List<List<Integer>> ranks = new ArrayList<>();

  /** For each arrow the nodes that it passes, its ends included; empty if it is drawn apart. */
  final List<List<Integer>> ways = new ArrayList<>();

  /** The rank of each node, and of each bend after them. */
  final List<Integer> rankOf = new ArrayList<>();

  /**
   * @param nodes how many; the first is where everything begins
   */
  Layers(int nodes, List<Link> links) {
    this.nodes = nodes;
    Acyclic graph = new Acyclic(nodes, links);
    int[] rank = ranks(links, graph);
    for (int node = 0; node < nodes; node++) {
      rankOf.add(rank[node]);
    }
    for (int i = 0; i <= Arrays.stream(rank).max().orElse(0); i++) {
      ranks.add(new ArrayList<>());
    }
    // In the order in which a reader would come to them.
    graph.order.forEach(node -> ranks.get(rank[node]).add(node));
    links.forEach(link -> ways.add(List.of()));
    bend(links, graph.back);
  }

  /** The longest way from above; a node without a predecessor stands right above its successor. */
  private static int[] ranks(List<Link> links, Acyclic graph) {
    int[] rank = new int[graph.leaving.size()];
    BitSet entered = new BitSet();
    entered.set(0);
    for (int node : graph.order) {
      for (int link : graph.leaving.get(node)) {
        if (!graph.back.get(link)) {
          int to = links.get(link).to();
          rank[to] = Math.max(rank[to], rank[node] + 1);
          entered.set(to);
        }
      }
    }
    for (int node : graph.order) {
      if (!entered.get(node)) {
        rank[node] =
            graph.leaving.get(node).stream()
                .filter(link -> !graph.back.get(link))
                .mapToInt(link -> rank[links.get(link).to()] - 1)
                .min()
                .orElse(0);
      }
    }
    return rank;
  }

  private void bend(List<Link> links, BitSet back) {
    List<Integer> shortestFirst = new ArrayList<>();
    for (int i = 0; i < links.size(); i++) {
      if (!back.get(i)) {
        shortestFirst.add(i);
      }
    }
    shortestFirst.sort(Comparator.comparingInt(i -> span(links.get(i))));
    int left = Limits.DIAGRAM_BENDS;
    for (int i : shortestFirst) {
      Link link = links.get(i);
      left -= span(link) - 1;
      if (left < 0) {
        return;
      }
      List<Integer> way = new ArrayList<>(List.of(link.from()));
      for (int rank = rankOf.get(link.from()) + 1; rank < rankOf.get(link.to()); rank++) {
        way.add(rankOf.size());
        ranks.get(rank).add(rankOf.size());
        rankOf.add(rank);
      }
      way.add(link.to());
      ways.set(i, way);
    }
  }

  private int span(Link link) {
    return rankOf.get(link.to()) - rankOf.get(link.from());
  }

  boolean isBend(int node) {
    return node >= nodes;
  }

  int size() {
    return rankOf.size();
  }
}
