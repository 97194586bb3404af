package dev.waymark.core.expression;

import dev.waymark.core.expression.value.Trouble;
import java.util.ArrayList;
import java.util.List;

/** Finds the expressions in a text: <code>${ … }</code>, where the inside may have braces too. */
final class TemplateText {

  sealed interface Piece {}

  /** Text that is taken as it is. */
  record Words(String text) implements Piece {}

  /** The source of an expression, without the braces around it. */
  record Code(String source) implements Piece {}

  private final String text;
  private int at;

  private TemplateText(String text) {
    this.text = text;
  }

  /** At least one piece. Trouble is at the position of an expression that does not end. */
  static List<Piece> pieces(String text) {
    return text.contains("${") ? new TemplateText(text).split() : List.of(new Words(text));
  }

  private List<Piece> split() {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder words = new StringBuilder();
    while (at < text.length()) {
      if (text.startsWith("$${", at)) {
        words.append("${");
        at += 3;
      } else if (text.startsWith("${", at)) {
        if (!words.isEmpty()) {
          pieces.add(new Words(words.toString()));
          words.setLength(0);
        }
        pieces.add(new Code(code()));
      } else {
        words.append(text.charAt(at++));
      }
    }
    if (!words.isEmpty() || pieces.isEmpty()) {
      pieces.add(new Words(words.toString()));
    }
    return pieces;
  }

  private String code() {
    int start = at;
    int depth = 0;
    at += 2;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '}' && depth == 0) {
        at++;
        return text.substring(start + 2, at - 1).strip();
      }
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      at = c == '"' || c == '\'' ? endOfText(c) : at + 1;
    }
    throw new Trouble("Expected '}' to end the expression that starts with '${' here")
        .at(text.codePointCount(0, start));
  }

  /** Behind the literal that starts here; CEL has single and triple quotes, and raw literals. */
  private int endOfText(char quote) {
    boolean raw = at > 0 && (text.charAt(at - 1) == 'r' || text.charAt(at - 1) == 'R');
    String triple = String.valueOf(quote).repeat(3);
    String end = text.startsWith(triple, at) ? triple : String.valueOf(quote);
    int next = at + end.length();
    while (next < text.length() && !text.startsWith(end, next)) {
      next += text.charAt(next) == '\\' && !raw ? 2 : 1;
    }
    return Math.min(text.length(), next + end.length());
  }
}
