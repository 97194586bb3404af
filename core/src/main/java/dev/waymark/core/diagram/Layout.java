package dev.waymark.core.diagram;

import dev.waymark.core.diagram.Chart.Arrow;
import dev.waymark.core.diagram.Chart.Box;
import dev.waymark.core.diagram.Picture.Placed;
import dev.waymark.core.diagram.Picture.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Finds a place for everything in a chart: from the inside out, and in each scope downwards. */
final class Layout {

  private final Chart chart;
  private final Map<Integer, Picture> insides = new HashMap<>();
  private final double[] widths;
  private final double[] heights;

  private Layout(Chart chart) {
    this.chart = chart;
    this.widths = new double[chart.boxes().size()];
    this.heights = new double[chart.boxes().size()];
    for (int i = 0; i < widths.length; i++) {
      measure(i, chart.boxes().get(i));
    }
  }

  static Picture of(Chart chart) {
    return new Layout(chart).run();
  }

  private void measure(int number, Box box) {
    widths[number] = Sizes.width(box);
    heights[number] = Sizes.height(box);
    if (box.inside() != null) {
      Picture inside = of(box.inside());
      insides.put(number, inside);
      widths[number] = Math.max(widths[number], inside.width());
      heights[number] += inside.height();
    }
  }

  private Picture run() {
    List<Arrow> arrows = new ArrayList<>();
    List<Layers.Link> links = new ArrayList<>();
    Map<String, Integer> numbers = new HashMap<>();
    for (Box box : chart.boxes()) {
      numbers.putIfAbsent(box.id(), numbers.size());
    }
    for (Arrow arrow : chart.arrows()) {
      Integer from = numbers.get(arrow.from());
      Integer to = numbers.get(arrow.to());
      // A text that no longer fits its types may name an activity that does not exist.
      if (from != null && to != null) {
        arrows.add(arrow);
        links.add(new Layers.Link(from, to));
      }
    }
    Layers layers = new Layers(chart.boxes().size(), links);
    new Order(layers).improve();
    double[] middles = new Spacing(layers, allWidths(layers, arrows), Sizes.GAP).find();
    Rows rows = new Rows(layers, links, arrows, heights);
    List<Placed> placed = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      double x = middles[i] - widths[i] / 2 + Sizes.MARGIN;
      double y = rows.middle(layers.rankOf.get(i)) - heights[i] / 2;
      placed.add(new Placed(chart.boxes().get(i), x, y, widths[i], heights[i]));
    }
    Routes ways = new Routes(layers, links, arrows, placed, middles, rows);
    List<Route> routes = ways.all();
    return withInsides(placed, routes, ways.right(routes), rows.height());
  }

  /** Bends are as wide as the label that stands on them: on the first of each arrow. */
  private double[] allWidths(Layers layers, List<Arrow> arrows) {
    double[] all = new double[layers.size()];
    System.arraycopy(widths, 0, all, 0, widths.length);
    for (int i = widths.length; i < all.length; i++) {
      all[i] = Sizes.BEND;
    }
    for (int i = 0; i < arrows.size(); i++) {
      String label = arrows.get(i).label();
      List<Integer> way = layers.ways.get(i);
      if (label != null && way.size() > 2) {
        all[way.get(1)] = Sizes.label(label) + 8;
      }
    }
    return all;
  }

  private Picture withInsides(
      List<Placed> placed, List<Route> routes, double right, double height) {
    List<Placed> boxes = new ArrayList<>();
    List<Route> all = new ArrayList<>(routes);
    for (int i = 0; i < placed.size(); i++) {
      Placed box = placed.get(i);
      boxes.add(box);
      if (insides.containsKey(i)) {
        Picture inside = Objects.requireNonNull(insides.get(i));
        double x = box.x() + (box.width() - inside.width()) / 2;
        double y = box.y() + Sizes.height(box.box());
        inside.boxes().forEach(each -> boxes.add(each.moved(x, y)));
        inside.routes().forEach(each -> all.add(each.moved(x, y)));
      }
    }
    return new Picture(right + Sizes.MARGIN, height, boxes, all);
  }
}
