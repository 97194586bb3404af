package dev.waymark.core.diagram;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of one scope, for drawing: its boxes, and the arrows between them. No arrow leads
 * out of a scope, so each is laid out by itself.
 *
 * @param boxes in the order of the text; the first is the mark where the scope begins
 */
record Chart(List<Box> boxes, List<Arrow> arrows) {

  /** The look of a box. */
  enum BoxStyle {
    START,
    /** Something that happens to the whole run. */
    EVENT,
    BODY,
    PURE,
    WAIT,
    BRANCH,
    END,
    SCOPE
  }

  /** The reason for an arrow, which decides how it is drawn. */
  enum Line {
    FLOW,
    REACTION,
    COMPENSATION
  }

  /**
   * An activity, or a mark.
   *
   * @param lines the text on it, the most important line first; empty for a mark
   * @param description the author's own words about it
   * @param inside the chart of its inside; absent if it has none
   */
  record Box(
      String id,
      BoxStyle look,
      List<String> lines,
      @Nullable String description,
      @Nullable Chart inside) {

    Box {
      lines = List.copyOf(lines);
    }
  }

  record Arrow(String from, String to, @Nullable String label, Line line) {}

  Chart {
    boxes = List.copyOf(boxes);
    arrows = List.copyOf(arrows);
  }
}
