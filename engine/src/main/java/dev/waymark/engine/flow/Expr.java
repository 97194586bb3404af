package dev.waymark.engine.flow;

/**
 * A CEL expression in the place of a value; it keeps its type when it is evaluated.
 *
 * @param source without the braces: {@code Variables.amount > 100}
 */
public record Expr(String source) {

  public Expr {
    if (source.isBlank()) {
      throw new IllegalArgumentException("Expected a CEL expression, but got a blank text");
    }
  }

  /** The form in a definition's text. */
  @Override
  public String toString() {
    return "${ " + source + " }";
  }
}
