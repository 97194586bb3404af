package dev.waymark.core.diagram;

/**
 * The sizes in which things are drawn. A text cannot be measured without its font, so widths are
 * estimated, on the generous side.
 */
final class Sizes {

  static final double LINE = 17;
  static final double GAP = 26;
  static final double MARGIN = 16;
  static final double MARK = 16;
  static final double BEND = 6;
  static final double LABEL_LINE = 15;

  private static final double LEAST = 96;
  private static final double PADDING = 28;
  private static final double LETTER = 7.2;
  private static final double SMALL_LETTER = 6.2;

  private Sizes() {}

  static double text(String text) {
    return letters(text) * LETTER;
  }

  static double label(String text) {
    return letters(text) * SMALL_LETTER;
  }

  /** Pictographs and East Asian characters take the place of two. */
  private static double letters(String text) {
    return text.codePoints().mapToDouble(c -> c < 0x1100 ? 1 : 2).sum();
  }

  static double width(Chart.Box box) {
    if (box.look() == Chart.BoxStyle.START) {
      return MARK;
    }
    double widest = box.lines().stream().mapToDouble(Sizes::text).max().orElse(0);
    return Math.max(LEAST, widest + PADDING);
  }

  static double height(Chart.Box box) {
    return box.look() == Chart.BoxStyle.START ? MARK : LINE * box.lines().size() + 14;
  }
}
