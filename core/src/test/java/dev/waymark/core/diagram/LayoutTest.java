package dev.waymark.core.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.diagram.Chart.Arrow;
import dev.waymark.core.diagram.Chart.Box;
import dev.waymark.core.diagram.Picture.Placed;
import dev.waymark.core.diagram.Picture.Point;
import dev.waymark.core.diagram.Picture.Route;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the picture of any chart at all. */
final class LayoutTest {

  private static final double NEAR = 0.001;

  @Test
  void no_box_touches_another_unless_it_is_inside_of_it() {
    for (int seed = 0; seed < 300; seed++) {
      Picture picture = Layout.of(chart(new Random(seed), "", 3));

      for (Placed one : picture.boxes()) {
        for (Placed other : picture.boxes()) {
          if (!one.box().id().equals(other.box().id())) {
            assertThat(apart(one, other) || within(one, other) || within(other, one))
                .as("seed %d: %s and %s", seed, one, other)
                .isTrue();
          }
        }
      }
    }
  }

  @Test
  void what_is_inside_of_a_box_is_drawn_inside_of_it_and_all_on_the_paper() {
    for (int seed = 0; seed < 300; seed++) {
      Chart chart = chart(new Random(seed), "", 3);
      Picture picture = Layout.of(chart);
      Map<String, Placed> placed = byId(picture);

      assertThat(placed).hasSize(picture.boxes().size());
      Placed paper = new Placed(chart.boxes().getFirst(), 0, 0, picture.width(), picture.height());
      assertThat(picture.boxes()).allMatch(box -> within(box, paper));
      assertThat(picture.routes().stream().flatMap(route -> route.points().stream()))
          .allMatch(point -> covers(paper, point));
      assertInside(chart, placed);
    }
  }

  private static void assertInside(Chart chart, Map<String, Placed> placed) {
    for (Box box : chart.boxes()) {
      if (box.inside() != null) {
        for (Box inner : box.inside().boxes()) {
          assertThat(within(placed.get(inner.id()), placed.get(box.id()))).isTrue();
        }
        assertInside(box.inside(), placed);
      }
    }
  }

  @Test
  void every_arrow_leaves_its_box_at_the_bottom_and_enters_the_other_at_the_top() {
    for (int seed = 0; seed < 300; seed++) {
      Chart chart = chart(new Random(seed), "", 2);
      Picture picture = Layout.of(chart);
      Map<String, Placed> placed = byId(picture);

      assertThat(picture.routes()).hasSize(arrows(chart));
      for (Route route : picture.routes()) {
        Placed from = placed.get(route.arrow().from());
        Placed to = placed.get(route.arrow().to());
        Point start = route.points().getFirst();
        Point end = route.points().getLast();
        assertThat(start.y()).isEqualTo(from.y() + from.height(), within(NEAR));
        assertThat(start.x()).isBetween(from.x(), from.x() + from.width());
        assertThat(end.y()).isEqualTo(to.y(), within(NEAR));
        assertThat(end.x()).isBetween(to.x(), to.x() + to.width());
      }
    }
  }

  @Test
  void no_arrow_runs_through_a_box() {
    for (int seed = 0; seed < 300; seed++) {
      Chart flat = chart(new Random(seed), "", 0);
      Picture picture = Layout.of(flat);

      for (Route route : picture.routes()) {
        for (Point point : drawn(route)) {
          for (Placed box : picture.boxes()) {
            assertThat(contains(box, point))
                .as("seed %d: %s in %s", seed, route.arrow(), box.box().id())
                .isFalse();
          }
        }
      }
    }
  }

  @Test
  void a_chain_stands_in_one_straight_column() {
    List<Box> boxes = new ArrayList<>();
    List<Arrow> arrows = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      boxes.add(box("a" + i, null));
      if (i > 0) {
        arrows.add(new Arrow("a" + (i - 1), "a" + i, null, Chart.Line.FLOW));
      }
    }

    Picture picture = Layout.of(new Chart(boxes, arrows));

    assertThat(picture.boxes().stream().map(box -> box.x() + box.width() / 2).distinct())
        .hasSize(1);
    assertThat(picture.boxes()).extracting(Placed::y).isSorted();
  }

  @Test
  void two_branches_that_meet_again_do_not_cross() {
    List<Box> boxes =
        List.of(
            box("start", null),
            box("left", null),
            box("right", null),
            box("l2", null),
            box("r2", null),
            box("end", null));
    List<Arrow> arrows =
        IntStream.of(1, 2, 13, 24, 35, 45)
            .mapToObj(
                i ->
                    new Arrow(
                        boxes.get(i / 10).id(), boxes.get(i % 10).id(), null, Chart.Line.FLOW))
            .toList();

    Map<String, Placed> placed = byId(Layout.of(new Chart(boxes, arrows)));

    assertThat(placed.get("left").x() < placed.get("right").x())
        .isEqualTo(placed.get("l2").x() < placed.get("r2").x());
    assertThat(placed.get("start").x()).isEqualTo(placed.get("end").x(), within(1.0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 5_000})
  void a_thousand_activities_are_laid_out_within_two_seconds(int arrows) {
    Random random = new Random(1);
    List<Box> boxes = new ArrayList<>();
    List<Arrow> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      boxes.add(box("activity" + i, null));
      all.add(arrow(i == 0 ? 0 : random.nextInt(i), i));
    }
    for (int i = 1_000; i < arrows; i++) {
      all.add(arrow(random.nextInt(1_000), random.nextInt(1_000)));
    }

    long fastest = Long.MAX_VALUE;
    for (int run = 0; run < 5 && fastest > Duration.ofSeconds(2).toNanos(); run++) {
      long time = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      assertThat(Layout.of(new Chart(boxes, all)).boxes()).hasSize(1_000);
      fastest =
          Math.min(fastest, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - time);
    }

    assertThat(Duration.ofNanos(fastest)).isLessThan(Duration.ofSeconds(2));
  }

  // ---- charts by chance

  private static Chart chart(Random random, String prefix, int depth) {
    int count = 1 + random.nextInt(depth > 0 ? 8 : 20);
    List<Box> boxes = new ArrayList<>();
    boxes.add(new Box(prefix + "$start", Chart.BoxStyle.START, List.of(), null, null));
    for (int i = 1; i <= count; i++) {
      String id = prefix + "a" + i;
      boolean nested = depth > 0 && random.nextInt(4) == 0;
      boxes.add(box(id, nested ? chart(random, id + ".", depth - 1) : null, random));
    }
    List<Arrow> arrows = new ArrayList<>();
    arrows.add(new Arrow(prefix + "$start", prefix + "a1", null, Chart.Line.FLOW));
    int more = random.nextInt(2 * count + 1);
    for (int i = 0; i < more; i++) {
      String label = random.nextBoolean() ? null : "x".repeat(1 + random.nextInt(30));
      Chart.Line line = random.nextBoolean() ? Chart.Line.FLOW : Chart.Line.REACTION;
      arrows.add(
          new Arrow(
              prefix + "a" + (1 + random.nextInt(count)),
              prefix + "a" + (1 + random.nextInt(count)),
              label,
              line));
    }
    return new Chart(boxes, arrows);
  }

  private static Box box(String id, Chart inside) {
    return new Box(id, Chart.BoxStyle.BODY, List.of(id, "work"), null, inside);
  }

  private static Box box(String id, Chart inside, Random random) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      lines.add("word ".repeat(random.nextInt(6)));
    }
    return new Box(id, Chart.BoxStyle.BODY, lines, null, inside);
  }

  private static Arrow arrow(int from, int to) {
    return new Arrow("activity" + from, "activity" + to, null, Chart.Line.FLOW);
  }

  private static int arrows(Chart chart) {
    int count = chart.arrows().size();
    for (Box box : chart.boxes()) {
      count += box.inside() == null ? 0 : arrows(box.inside());
    }
    return count;
  }

  // ---- geometry

  private static Map<String, Placed> byId(Picture picture) {
    Map<String, Placed> placed = new HashMap<>();
    picture.boxes().forEach(box -> placed.put(box.box().id(), box));
    return placed;
  }

  private static boolean apart(Placed one, Placed other) {
    return one.x() + one.width() < other.x()
        || other.x() + other.width() < one.x()
        || one.y() + one.height() < other.y()
        || other.y() + other.height() < one.y();
  }

  private static boolean within(Placed inner, Placed outer) {
    return inner.x() > outer.x()
        && inner.y() > outer.y()
        && inner.x() + inner.width() < outer.x() + outer.width()
        && inner.y() + inner.height() < outer.y() + outer.height();
  }

  private static Offset<Double> within(double by) {
    return Offset.offset(by);
  }

  private static boolean covers(Placed box, Point point) {
    return point.x() >= box.x()
        && point.x() <= box.x() + box.width()
        && point.y() >= box.y()
        && point.y() <= box.y() + box.height();
  }

  /** Inside of it, and not on its edge. */
  private static boolean contains(Placed box, Point point) {
    return point.x() > box.x() + NEAR
        && point.x() < box.x() + box.width() - NEAR
        && point.y() > box.y() + NEAR
        && point.y() < box.y() + box.height() - NEAR;
  }

  /** Points along the way as it is drawn, swings included. */
  private static List<Point> drawn(Route route) {
    List<Point> drawn = new ArrayList<>();
    for (int i = 1; i < route.points().size(); i++) {
      Point a = route.points().get(i - 1);
      Point b = route.points().get(i);
      for (double t = 0; t <= 1; t += 0.05) {
        double x = route.square() ? t : t * t * (3 - 2 * t);
        // A swing's way down is 1.5 t (1-t)² + 1.5 t² (1-t) + t³ of the height.
        double y = route.square() ? t : 1.5 * t * (1 - t) + t * t * t;
        drawn.add(new Point(a.x() + (b.x() - a.x()) * x, a.y() + (b.y() - a.y()) * y));
      }
    }
    return drawn;
  }
}
