package dev.waymark.core.diagram;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.diagram.Picture.Placed;
import dev.waymark.core.diagram.Picture.Point;
import dev.waymark.core.diagram.Picture.Route;
import dev.waymark.core.instance.Instance;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A definition as an SVG image: well-formed XML without scripts, styles or references, so that a
 * page may show it as it is. The words of authors appear in it as text and nothing else.
 */
public final class Svg {

  private static final String FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif";

  private final Xml xml = new Xml();
  private final Marks marks;

  private Svg(Marks marks) {
    this.marks = marks;
  }

  public static String of(Definition definition) {
    return new Svg(Marks.NONE).draw(definition);
  }

  /** The definition, and where the run stands in it. */
  public static String of(Definition definition, Instance instance) {
    return of(definition, instance, Set.of());
  }

  /**
   * The definition, with the activities at which the run stands and those that it has completed.
   *
   * @param completed the ids of activities that are completed
   */
  public static String of(Definition definition, Instance instance, Set<String> completed) {
    return new Svg(Marks.of(instance, completed)).draw(definition);
  }

  private String draw(Definition definition) {
    Picture picture = Layout.of(ChartReader.read(definition));
    long width = (long) Math.ceil(picture.width());
    long height = (long) Math.ceil(picture.height());
    xml.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "width",
        width,
        "height",
        height,
        "viewBox",
        "0 0 " + width + " " + height,
        "role",
        "img",
        "font-family",
        FONT);
    xml.text("title", definition.name());
    picture.boxes().forEach(this::box);
    picture.routes().forEach(this::route);
    picture.routes().forEach(this::label);
    return xml.close("svg").toString();
  }

  private void box(Placed box) {
    Marks.Mark mark = marks.of(box.box().id());
    Colours colours = Colours.of(box.box().look(), mark);
    String description = box.box().description();
    xml.open("g");
    if (description != null) {
      xml.text("title", description);
    }
    if (box.box().look() == Chart.BoxStyle.START) {
      double radius = box.width() / 2;
      double x = box.x() + radius;
      double y = box.y() + radius;
      xml.empty("circle", "cx", x, "cy", y, "r", radius - 1, "fill", colours.stroke());
    } else {
      frame(box, colours, mark != null);
      lines(box);
    }
    if (mark != null) {
      badge(box, mark.text(), colours.stroke());
    }
    xml.close("g");
  }

  private void frame(Placed box, Colours colours, boolean marked) {
    xml.empty(
        "rect",
        "x",
        box.x(),
        "y",
        box.y(),
        "width",
        box.width(),
        "height",
        box.height(),
        "rx",
        round(box.box().look()),
        "fill",
        colours.fill(),
        "stroke",
        colours.stroke(),
        "stroke-width",
        marked ? 2.4 : 1.2,
        "stroke-dasharray",
        box.box().look() == Chart.BoxStyle.EVENT ? "5 3" : null);
  }

  private static int round(Chart.BoxStyle look) {
    return switch (look) {
      case START, END, EVENT -> 14;
      case BODY, PURE, WAIT, SCOPE -> 6;
      case BRANCH -> 2;
    };
  }

  private void lines(Placed box) {
    double y = box.y() + Sizes.LINE + 2;
    boolean title = box.box().look() != Chart.BoxStyle.EVENT;
    for (String line : box.box().lines()) {
      xml.text(
          "text",
          line,
          "x",
          box.x() + box.width() / 2,
          "y",
          y,
          "text-anchor",
          "middle",
          "font-size",
          title ? 13 : 11,
          "font-weight",
          title ? "600" : null,
          "fill",
          title ? "#0f172a" : "#475569");
      y += Sizes.LINE;
      title = false;
    }
  }

  /** On the upper right corner of the box. */
  private void badge(Placed box, String text, String colour) {
    double width = Sizes.label(text) + 12;
    double x = box.x() + box.width() - width + 6;
    double y = box.y() - 8;
    xml.empty("rect", "x", x, "y", y, "width", width, "height", 16, "rx", 8, "fill", colour);
    xml.text(
        "text",
        text,
        "x",
        x + width / 2,
        "y",
        y + 12,
        "text-anchor",
        "middle",
        "font-size",
        11,
        "fill",
        "#ffffff");
  }

  private void route(Route route) {
    String colour = Colours.of(route.arrow().line());
    xml.empty(
        "path",
        "d",
        route.square() ? square(route.points()) : swinging(route.points()),
        "fill",
        "none",
        "stroke",
        colour,
        "stroke-width",
        1.4,
        "stroke-dasharray",
        dashes(route.arrow().line()));
    xml.empty("path", "d", "M" + at(route.points().getLast()) + "l-4 -8h8z", "fill", colour);
  }

  private static @Nullable String dashes(Chart.Line line) {
    return switch (line) {
      case FLOW -> null;
      case REACTION -> "7 4";
      case COMPENSATION -> "2 3";
    };
  }

  private static String square(List<Point> points) {
    return points.stream().map(Svg::at).collect(Collectors.joining("L", "M", ""));
  }

  /** Straight where the next point is right below; otherwise it leaves and arrives downwards. */
  private static String swinging(List<Point> points) {
    StringBuilder path = new StringBuilder("M").append(at(points.getFirst()));
    for (int i = 1; i < points.size(); i++) {
      Point from = points.get(i - 1);
      Point to = points.get(i);
      double halfway = (from.y() + to.y()) / 2;
      if (Math.abs(from.x() - to.x()) < 0.1) {
        path.append('L').append(at(to));
      } else {
        path.append('C').append(at(new Point(from.x(), halfway)));
        path.append(' ').append(at(new Point(to.x(), halfway)));
        path.append(' ').append(at(to));
      }
    }
    return path.toString();
  }

  /** With a white seam, because arrows pass under it. */
  private void label(Route route) {
    String text = route.arrow().label();
    if (text != null && route.label() != null) {
      xml.text(
          "text",
          text,
          "x",
          route.label().x(),
          "y",
          route.label().y() + 4,
          "text-anchor",
          "middle",
          "font-size",
          11,
          "fill",
          Colours.of(route.arrow().line()),
          "stroke",
          "#ffffff",
          "stroke-width",
          4,
          "stroke-linejoin",
          "round",
          "paint-order",
          "stroke");
    }
  }

  private static String at(Point point) {
    return Xml.value(point.x()) + " " + Xml.value(point.y());
  }
}
