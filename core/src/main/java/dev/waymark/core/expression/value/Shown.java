package dev.waymark.core.expression.value;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value in a message: as JSON, and cut after 80 characters however large it is.
 *
 * <p>It is written out only when the message is. Most troubles are swallowed by {@code &&} and
 * {@code ||}, and a message about an expression that reads the environment must not show values.
 */
public record Shown(@Nullable Object value) {

  private static final int MAX_CHARS = 80;

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    show(out, value);
    if (out.length() <= MAX_CHARS) {
      return out.toString();
    }
    boolean splits = Character.isHighSurrogate(out.charAt(MAX_CHARS - 1));
    return out.substring(0, splits ? MAX_CHARS - 1 : MAX_CHARS) + "…";
  }

  private static void show(StringBuilder out, @Nullable Object value) {
    switch (value) {
      case String text -> {
        // One character more than fits, so that the cut shows.
        out.append('"').append(text, 0, Math.min(text.length(), MAX_CHARS)).append('"');
      }
      case BigDecimal number -> out.append(Numbers.plain(number));
      case List<?> list -> showElements(out, list);
      case Map<?, ?> map -> showEntries(out, map);
      case null, default -> out.append(value);
    }
  }

  private static void showElements(StringBuilder out, List<?> list) {
    out.append('[');
    for (int i = 0; i < list.size() && out.length() <= MAX_CHARS; i++) {
      show(out.append(i == 0 ? "" : ", "), list.get(i));
    }
    out.append(']');
  }

  private static void showEntries(StringBuilder out, Map<?, ?> map) {
    out.append('{');
    String comma = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (out.length() > MAX_CHARS) {
        break;
      }
      show(out.append(comma).append(entry.getKey()).append(": "), entry.getValue());
      comma = ", ";
    }
    out.append('}');
  }
}
