package dev.waymark.core.definition.text;

import java.util.List;

/** Collects the faults of a definition, each with its path. Never stops at the first. */
public interface Faults {

  /**
   * Reports a fault.
   *
   * @param path where, below the place this collector stands for: {@code branches/0}, or empty
   * @param expected what should be there
   * @param got what came instead
   */
  void add(String path, String expected, String got);

  /** A checked value as text, for a fault's "but got" half. */
  static String shown(@org.jspecify.annotations.Nullable Object value) {
    return switch (value) {
      case null -> "nothing";
      case String text -> "'" + cut(text) + "'";
      case List<?> list -> "a list of " + list.size();
      case java.util.Map<?, ?> map -> "an object with " + cut(map.keySet().toString());
      default -> cut(value.toString());
    };
  }

  private static String cut(String text) {
    return text.length() <= 80 ? text : text.substring(0, 79) + "…";
  }
}
