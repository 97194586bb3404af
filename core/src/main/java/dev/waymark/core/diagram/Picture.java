package dev.waymark.core.diagram;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart with a place for everything.
 *
 * @param boxes each box before those inside it
 */
record Picture(double width, double height, List<Placed> boxes, List<Route> routes) {

  record Point(double x, double y) {

    Point plus(double dx, double dy) {
      return new Point(x + dx, y + dy);
    }
  }

  /** A box and its upper left corner. */
  record Placed(Chart.Box box, double x, double y, double width, double height) {

    Placed moved(double dx, double dy) {
      return new Placed(box, x + dx, y + dy, width, height);
    }
  }

  /**
   * The way of an arrow, from the edge of one box to the edge of another.
   *
   * @param square whether it goes around corners; otherwise it swings from one point to the next
   * @param label where its label stands, in the middle of it; absent if it has none
   */
  record Route(Chart.Arrow arrow, List<Point> points, boolean square, @Nullable Point label) {

    Route moved(double dx, double dy) {
      return new Route(
          arrow,
          points.stream().map(point -> point.plus(dx, dy)).toList(),
          square,
          label == null ? null : label.plus(dx, dy));
    }
  }
}
