package dev.waymark.core.diagram;

/** Puts what people wrote into languages in which some characters mean something. */
final class Markup {

  private Markup() {}

  /** Escapes a text for an XML element, or for an attribute in either kind of quotes. */
  static String xml(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isXml(c) ? c : 0xFFFD);
              }
            });
    return out.toString();
  }

  /** In quotes of Mermaid, which knows characters by number. */
  static String mermaid(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              boolean plain = Character.isLetterOrDigit(c) || " .,:=+-_/()!?".indexOf(c) >= 0;
              if (plain || c > 0x7F) {
                out.appendCodePoint(isXml(c) ? c : 0xFFFD);
              } else if (Character.isWhitespace(c)) {
                out.append(' ');
              } else if (!isXml(c)) {
                out.append('\uFFFD');
              } else {
                out.append('#').append(c).append(';');
              }
            });
    return out.toString();
  }

  /** True if XML 1.0 can say it. */
  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= ' ' && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
