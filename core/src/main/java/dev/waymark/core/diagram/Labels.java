package dev.waymark.core.diagram;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The texts on boxes and arrows, and the look of boxes. */
final class Labels {

  private Labels() {}

  /** The label of a reaction: the event that it reacts to. */
  static String of(String event, Map<?, ?> reaction) {
    String what =
        switch (event) {
          case "error" -> "⚠ " + or(reaction.get("match"), "any error");
          case "timeout" -> "⏱ " + or(reaction.get("after"), or(reaction.get("until"), ""));
          case "message" -> "✉ " + or(reaction.get("name"), "");
          case "signal" -> "⚡ " + or(reaction.get("name"), "");
          default -> event;
        };
    String undo = Boolean.TRUE.equals(reaction.get("compensate")) ? "↩ " : "";
    return undo + what + (Boolean.FALSE.equals(reaction.get("interrupt")) ? " (beside)" : "");
  }

  /** The type, and what matters most about it. */
  static String describe(String type, Map<?, ?> activity) {
    Map<?, ?> with = activity.get("with") instanceof Map<?, ?> map ? map : Map.of();
    String detail =
        switch (type) {
          case "timer" -> or(with.get("after"), or(with.get("until"), ""));
          case "wait" -> or(with.get("for"), "user-action");
          case "join" -> or(with.get("wait"), "all");
          case "race" -> names(with.get("waits"));
          case "set" -> names(with);
          case "for-each" -> or(with.get("items"), "");
          case "sub-workflow" -> or(with.get("definition"), "");
          case "signal", "send" -> or(with.get("name"), "");
          case "emit" -> or(with.get("type"), "");
          case "raise" -> or(with.get("code"), "");
          case "terminate" -> or(with.get("code"), or(with.get("status"), "completed"));
          case "compensate" -> or(with.get("activity"), "all");
          default -> "";
        };
    return detail.isEmpty() ? type : type + " · " + detail;
  }

  static Chart.BoxStyle look(String type) {
    return switch (type) {
      case "fork", "split", "join", "race" -> Chart.BoxStyle.BRANCH;
      case "wait", "timer" -> Chart.BoxStyle.WAIT;
      case "set", "signal", "send", "emit", "compensate" -> Chart.BoxStyle.PURE;
      case "end", "terminate", "raise" -> Chart.BoxStyle.END;
      case "scope", "for-each" -> Chart.BoxStyle.SCOPE;
      default -> Chart.BoxStyle.BODY;
    };
  }

  private static String names(@Nullable Object value) {
    return value instanceof Map<?, ?> map
        ? map.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "))
        : "";
  }

  private static String or(@Nullable Object value, String otherwise) {
    return value == null || value instanceof Iterable || value instanceof Map
        ? otherwise
        : String.valueOf(value);
  }
}
