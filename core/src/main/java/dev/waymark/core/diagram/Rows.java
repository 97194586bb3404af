package dev.waymark.core.diagram;

import dev.waymark.core.diagram.Chart.Arrow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The height of each rank. Between two ranks there is room for arrows to swing, for the labels of
 * those that arrive, and for lanes: arrows that are drawn apart leave and arrive along one.
 */
final class Rows {

  private static final double SWING = 34;
  private static final double LANE = 6;
  private static final double CLEAR = 7;
  private static final double HEAD = 10;
  private static final int MOST_LANES = 12;

  private final double[] top;
  private final double[] bottom;
  private final double[] lanesAbove;
  private final int[] left;
  private final int[] arrived;
  private final Map<Integer, Integer> labels = new HashMap<>();
  private final double height;

  Rows(Layers layers, List<Layers.Link> links, List<Arrow> arrows, double[] heights) {
    int count = layers.ranks.size();
    top = new double[count];
    bottom = new double[count];
    lanesAbove = new double[count];
    left = new int[count];
    arrived = new int[count];
    int[] leaving = new int[count];
    int[] arriving = new int[count];
    int[] labelled = new int[count];
    Map<Integer, Integer> labelsOf = new HashMap<>();
    for (int i = 0; i < links.size(); i++) {
      Layers.Link link = links.get(i);
      int to = layers.rankOf.get(link.to());
      if (layers.ways.get(i).isEmpty()) {
        leaving[layers.rankOf.get(link.from())]++;
        arriving[to]++;
      } else if (layers.ways.get(i).size() == 2 && arrows.get(i).label() != null) {
        labelled[to] = Math.max(labelled[to], labelsOf.merge(link.to(), 1, Integer::sum));
      }
    }
    double y = Sizes.MARGIN;
    for (int rank = 0; rank < count; rank++) {
      lanesAbove[rank] = lanes(arriving[rank]);
      y += lanesAbove[rank];
      y += labelled[rank] == 0 ? 0 : HEAD + labelled[rank] * Sizes.LABEL_LINE;
      top[rank] = y;
      y +=
          layers.ranks.get(rank).stream()
              .mapToDouble(node -> layers.isBend(node) ? Sizes.LABEL_LINE : heights[node])
              .max()
              .orElse(0);
      bottom[rank] = y;
      y += lanes(leaving[rank]) + (rank + 1 < count ? SWING : 0);
    }
    height = y + Sizes.MARGIN;
  }

  private static double lanes(int count) {
    return count == 0 ? 0 : LANE * Math.min(count, MOST_LANES) + HEAD;
  }

  double height() {
    return height;
  }

  double top(int rank) {
    return top[rank];
  }

  double bottom(int rank) {
    return bottom[rank];
  }

  double middle(int rank) {
    return (top[rank] + bottom[rank]) / 2;
  }

  /** The next lane under a rank; where there are very many arrows, some share one. */
  double laneBelow(int rank) {
    return bottom[rank] + CLEAR + LANE * (left[rank]++ % MOST_LANES);
  }

  double laneAbove(int rank) {
    return top[rank] - HEAD - LANE * (arrived[rank]++ % MOST_LANES);
  }

  /** The next place for a label above a node, and above the heads of the arrows there. */
  double labelAbove(int node, int rank) {
    int count = labels.merge(node, 1, Integer::sum) - 1;
    return top[rank] - lanesAbove[rank] - HEAD - Sizes.LABEL_LINE * (count + 0.5);
  }
}
