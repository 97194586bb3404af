package dev.waymark.core.diagram;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A graph with the links that lead back told apart: without those it has no cycles, and every node
 * comes after all that lead to it.
 */
final class Acyclic {

  /** The nodes, each before those that it leads to. */
  final List<Integer> order;

  /** The links that lead back to a node on the way to which they were found. */
  final BitSet back = new BitSet();

  /** For each node, its links. */
  final List<List<Integer>> leaving = new ArrayList<>();

  private final List<Layers.Link> links;
  private final List<Integer> finished = new ArrayList<>();
  private final BitSet seen = new BitSet();
  private final BitSet open = new BitSet();
  private final int[] next;

  /**
   * @param nodes how many; the search begins at the first
   */
  Acyclic(int nodes, List<Layers.Link> links) {
    this.links = links;
    this.next = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      leaving.add(new ArrayList<>());
    }
    for (int i = 0; i < links.size(); i++) {
      leaving.get(links.get(i).from()).add(i);
    }
    for (int node = 0; node < nodes; node++) {
      if (!seen.get(node)) {
        search(node);
      }
    }
    this.order = finished.reversed();
  }

  /** The search uses no recursion, since a thousand activities may stand in a row. */
  private void search(int start) {
    List<Integer> path = new ArrayList<>();
    enter(path, start);
    while (!path.isEmpty()) {
      int node = path.getLast();
      List<Integer> ways = leaving.get(node);
      if (next[node] == ways.size()) {
        open.clear(node);
        finished.add(path.removeLast());
        continue;
      }
      // The last way first: so the first comes first where the order is read backwards.
      int link = ways.get(ways.size() - 1 - next[node]++);
      int to = links.get(link).to();
      if (open.get(to)) {
        back.set(link);
      } else if (!seen.get(to)) {
        enter(path, to);
      }
    }
  }

  private void enter(List<Integer> path, int node) {
    seen.set(node);
    open.set(node);
    path.add(node);
  }
}
