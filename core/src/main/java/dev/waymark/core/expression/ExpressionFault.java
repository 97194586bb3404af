package dev.waymark.core.expression;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One fault of one expression, reported so that its author can correct it: with the place of the
 * expression in the definition, the place of the fault in the expression, and the values that were
 * there.
 *
 * @param path where in the definition, such as {@code /activities/pay/with/url}
 * @param line line of the source, from 1
 * @param column character of that line, from 1
 * @param seen the paths that the expression reads with their values, shortened; empty when the
 *     fault was found without data
 */
public record ExpressionFault(
    String path, String source, int line, int column, String message, Map<String, String> seen) {

  public ExpressionFault {
    requireNonNull(path, "path");
    requireNonNull(source, "source");
    requireNonNull(message, "message");
    if (line < 1 || column < 1) {
      throw new IllegalArgumentException(
          "Expected line and column of 1 or more, but got " + line + " and " + column);
    }
    seen = Collections.unmodifiableMap(new LinkedHashMap<>(seen));
  }

  static ExpressionFault at(
      int position, String path, String source, String message, Map<String, String> seen) {
    int line = 1;
    int column = 1;
    int[] codePoints = source.codePoints().limit(Math.max(position, 0)).toArray();
    for (int codePoint : codePoints) {
      line += codePoint == '\n' ? 1 : 0;
      column = codePoint == '\n' ? 1 : column + 1;
    }
    return new ExpressionFault(path, source, line, column, message, seen);
  }

  ExpressionFault withMessage(String text) {
    return new ExpressionFault(path, source, line, column, text, seen);
  }

  boolean isAt(int codePoint) {
    return lineText().codePoints().skip(column - 1L).limit(1).anyMatch(c -> c == codePoint);
  }

  /** The line of the source in question, and below it a caret, as dev.cel and cel-go draw it. */
  public String excerpt() {
    // A line may be 4096 characters long; what matters is near the caret.
    int start = Math.max(0, column - 1 - 60);
    String shown = cut(lineText(), start, 120);
    return " | " + shown + "\n | " + ".".repeat(column - 1 - start) + "^";
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(path).append(':').append(line).append(':').append(column).append(": ");
    text.append(message).append('\n').append(excerpt());
    seen.forEach((name, value) -> text.append("\n   ").append(name).append(" = ").append(value));
    return text.toString();
  }

  private String lineText() {
    String[] lines = source.split("\n", -1);
    return lines[Math.min(line, lines.length) - 1];
  }

  private static String cut(String text, int fromCodePoint, int count) {
    int[] shown = text.codePoints().skip(fromCodePoint).limit(count).toArray();
    return new String(shown, 0, shown.length);
  }
}
