package dev.waymark.postgres.internal.commit;

import java.util.List;

/**
 * A place of a commit's text, and what stands there instead once the gate is taken out. Texts are
 * on one line, so that a gate is found however it is indented.
 *
 * @param part the part of WITH that has the place, or empty if it may be anywhere in the text
 */
record Cut(String part, String gate, String instead) {

  static Cut of(String gate, String instead) {
    return new Cut("", gate, instead);
  }

  /** A join that a row passes for which there is nothing under this name. */
  static List<Cut> joinedAnyway(String name, String join) {
    return List.of(
        of(join, join.replace("cross join", "left join")),
        of(") " + name + " ", ") " + name + " on true "));
  }

  static String onOneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }

  /** The text without the gates. Each has to be there, and once: otherwise nothing is proved. */
  static String all(List<Cut> cuts, String text) {
    String rest = text;
    for (Cut cut : cuts) {
      rest = cut.out(rest);
    }
    return rest;
  }

  private String out(String text) {
    String place = part.isEmpty() ? text : part(part, text);
    int first = place.indexOf(gate);
    if (first < 0 || place.indexOf(gate, first + 1) >= 0) {
      throw new AssertionError(
          "Expected '%s' once%s, but it is %s:%n%s"
              .formatted(
                  gate,
                  part.isEmpty() ? "" : " in the part " + part,
                  first < 0 ? "missing" : "there more than once",
                  place));
    }
    return text.replace(place, place.replace(gate, instead));
  }

  /** One part of WITH, from its name to its last bracket. */
  static String part(String name, String text) {
    for (String begin : List.of(name + " as (", name + " as materialized (")) {
      int from = text.indexOf(" " + begin) + 1;
      if (from > 0) {
        return text.substring(from, end(text, from + begin.length()));
      }
    }
    throw new AssertionError("Expected a part '%s' in:%n%s".formatted(name, text));
  }

  private static int end(String text, int inside) {
    int open = 1;
    int at = inside;
    while (open > 0) {
      open +=
          switch (text.charAt(at)) {
            case '(' -> 1;
            case ')' -> -1;
            default -> 0;
          };
      at++;
    }
    return at;
  }
}
