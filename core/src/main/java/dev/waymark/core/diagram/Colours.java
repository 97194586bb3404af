package dev.waymark.core.diagram;

import org.jspecify.annotations.Nullable;

/** Paper and ink of a box. */
record Colours(String fill, String stroke) {

  static Colours of(Chart.BoxStyle look, Marks.@Nullable Mark mark) {
    return mark == null ? of(look) : of(mark.state());
  }

  private static Colours of(Chart.BoxStyle look) {
    return switch (look) {
      case START -> new Colours("#334155", "#334155");
      case EVENT -> new Colours("#fff7ed", "#b45309");
      case BODY -> new Colours("#ffffff", "#334155");
      case PURE -> new Colours("#f8fafc", "#94a3b8");
      case WAIT -> new Colours("#fefce8", "#a16207");
      case BRANCH -> new Colours("#eef2ff", "#6366f1");
      case END -> new Colours("#f1f5f9", "#475569");
      case SCOPE -> new Colours("#fbfcfe", "#94a3b8");
    };
  }

  static Colours of(Marks.State state) {
    return switch (state) {
      case COMPLETED -> new Colours("#f0fdf4", "#16a34a");
      case READY -> new Colours("#e0f2fe", "#0284c7");
      case RUNNING -> new Colours("#dbeafe", "#2563eb");
      case WAITING -> new Colours("#fef3c7", "#b45309");
      case PARKED -> new Colours("#fee2e2", "#dc2626");
    };
  }

  static String of(Chart.Line line) {
    return switch (line) {
      case FLOW -> "#475569";
      case REACTION -> "#b45309";
      case COMPENSATION -> "#7c3aed";
    };
  }
}
