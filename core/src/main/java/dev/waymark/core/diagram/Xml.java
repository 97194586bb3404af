package dev.waymark.core.diagram;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes XML. Every value passes one escape, so that none can become a tag. */
final class Xml {

  private final StringBuilder out = new StringBuilder();

  /**
   * An element without content.
   *
   * @param attributes names and values in turn; a value that is absent leaves its attribute out
   */
  Xml empty(String name, @Nullable Object... attributes) {
    return begin(name, attributes).end("/>");
  }

  Xml text(String name, String content, @Nullable Object... attributes) {
    begin(name, attributes).out.append('>').append(Markup.xml(content));
    return end("</" + name + ">");
  }

  Xml open(String name, @Nullable Object... attributes) {
    return begin(name, attributes).end(">");
  }

  Xml close(String name) {
    return end("</" + name + ">");
  }

  private Xml begin(String name, @Nullable Object... attributes) {
    out.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      if (attributes[i + 1] != null) {
        out.append(' ').append(attributes[i]).append("=\"");
        out.append(Markup.xml(value(attributes[i + 1]))).append('"');
      }
    }
    return this;
  }

  private Xml end(String closing) {
    out.append(closing).append('\n');
    return this;
  }

  /** A tenth of a pixel is too small to be seen. */
  static String value(@Nullable Object value) {
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.1f", number)
        : String.valueOf(value);
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
