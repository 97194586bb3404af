package dev.waymark.core.diagram;

import dev.waymark.core.diagram.Chart.Arrow;
import dev.waymark.core.diagram.Picture.Placed;
import dev.waymark.core.diagram.Picture.Point;
import dev.waymark.core.diagram.Picture.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways of all arrows of one scope. Each leaves a box at its bottom and enters one at its top.
 * It swings to the side only between two ranks, where no box is; those that are drawn apart go down
 * or up in a channel to the right of everything.
 */
final class Routes {

  private static final double PORT = 18;
  private static final double CHANNEL = 8;
  private static final double WIDEST_CHANNEL = 240;

  private final Layers layers;
  private final List<Layers.Link> links;
  private final List<Arrow> arrows;
  private final List<Placed> boxes;
  private final double[] middles;
  private final Rows rows;
  private final double[] leaves;
  private final double[] arrives;
  private final double firstChannel;
  private final double channelWidth;
  private int channels;

  /**
   * @param middles of each node and bend, without the margin
   */
  Routes(
      Layers layers,
      List<Layers.Link> links,
      List<Arrow> arrows,
      List<Placed> boxes,
      double[] middles,
      Rows rows) {
    this.layers = layers;
    this.links = links;
    this.arrows = arrows;
    this.boxes = boxes;
    this.middles = middles;
    this.rows = rows;
    this.leaves = ports(true);
    this.arrives = ports(false);
    double right = 0;
    for (Placed box : boxes) {
      right = Math.max(right, box.x() + box.width());
    }
    for (int bend = layers.nodes; bend < layers.size(); bend++) {
      right = Math.max(right, middles[bend] + Sizes.MARGIN + Sizes.BEND);
    }
    long apart = layers.ways.stream().filter(List::isEmpty).count();
    this.firstChannel = right + Sizes.MARGIN;
    this.channelWidth = apart == 0 ? 0 : Math.min(CHANNEL, WIDEST_CHANNEL / apart);
  }

  List<Route> all() {
    List<Route> routes = new ArrayList<>();
    for (int i = 0; i < arrows.size(); i++) {
      routes.add(layers.ways.get(i).isEmpty() ? apart(i) : through(i));
    }
    return routes;
  }

  /** The rightmost position that anything reaches, labels included. */
  double right(List<Route> routes) {
    double right = firstChannel - Sizes.MARGIN;
    for (Route route : routes) {
      for (Point point : route.points()) {
        right = Math.max(right, point.x());
      }
      if (route.label() != null && route.arrow().label() != null) {
        right = Math.max(right, route.label().x() + Sizes.label(route.arrow().label()) / 2);
      }
    }
    return right;
  }

  /** Arrows share the edge of a box, in the order of where they lead, so that they do not cross. */
  private double[] ports(boolean leaving) {
    double[] ports = new double[links.size()];
    List<List<Integer>> byBox = new ArrayList<>();
    boxes.forEach(box -> byBox.add(new ArrayList<>()));
    for (int i = 0; i < links.size(); i++) {
      byBox.get(leaving ? links.get(i).from() : links.get(i).to()).add(i);
    }
    for (int number = 0; number < boxes.size(); number++) {
      Placed box = boxes.get(number);
      List<Integer> shared = byBox.get(number);
      shared.sort(Comparator.comparingDouble(link -> towards(link, leaving)));
      double room = Math.max(0, box.width() - 2 * PORT);
      double step = shared.size() < 2 ? 0 : Math.min(PORT, room / (shared.size() - 1));
      for (int i = 0; i < shared.size(); i++) {
        ports[shared.get(i)] = box.x() + box.width() / 2 + (i - (shared.size() - 1) / 2.0) * step;
      }
    }
    return ports;
  }

  private double towards(int link, boolean leaving) {
    List<Integer> way = layers.ways.get(link);
    return way.isEmpty() ? Double.MAX_VALUE : middles[way.get(leaving ? 1 : way.size() - 2)];
  }

  private Route through(int link) {
    List<Integer> way = layers.ways.get(link);
    Placed from = boxes.get(way.getFirst());
    Placed to = boxes.get(way.getLast());
    List<Point> points = new ArrayList<>();
    points.add(new Point(leaves[link], from.y() + from.height()));
    points.add(new Point(leaves[link], rows.bottom(rank(way.getFirst()))));
    for (int bend : way.subList(1, way.size() - 1)) {
      double x = middles[bend] + Sizes.MARGIN;
      points.add(new Point(x, rows.top(rank(bend))));
      points.add(new Point(x, rows.bottom(rank(bend))));
    }
    points.add(new Point(arrives[link], rows.top(rank(way.getLast()))));
    points.add(new Point(arrives[link], to.y()));
    return new Route(arrows.get(link), points, false, label(link, way));
  }

  /** On the first bend, which is as wide as the label; without one, above the box. */
  private @Nullable Point label(int link, List<Integer> way) {
    if (arrows.get(link).label() == null) {
      return null;
    }
    int next = way.get(1);
    return layers.isBend(next)
        ? new Point(middles[next] + Sizes.MARGIN, rows.middle(rank(next)))
        : new Point(arrives[link], rows.labelAbove(next, rank(next)));
  }

  private Route apart(int number) {
    Layers.Link link = links.get(number);
    Placed from = boxes.get(link.from());
    Placed to = boxes.get(link.to());
    double below = rows.laneBelow(rank(link.from()));
    double above = rows.laneAbove(rank(link.to()));
    double channel = firstChannel + channels++ * channelWidth;
    List<Point> points =
        List.of(
            new Point(leaves[number], from.y() + from.height()),
            new Point(leaves[number], below),
            new Point(channel, below),
            new Point(channel, above),
            new Point(arrives[number], above),
            new Point(arrives[number], to.y()));
    Point label =
        arrows.get(number).label() == null ? null : new Point(channel, (below + above) / 2);
    return new Route(arrows.get(number), points, true, label);
  }

  private int rank(int node) {
    return layers.rankOf.get(node);
  }
}
