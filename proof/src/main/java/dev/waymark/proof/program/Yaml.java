package dev.waymark.proof.program;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes data as YAML that people can read: large things on lines of their own, small ones not. */
final class Yaml {

  private static final Set<String> LARGE = Set.of("activities", "waits", "on", "script");

  private Yaml() {}

  static String text(Map<String, @Nullable Object> data) {
    StringBuilder text = new StringBuilder();
    write(data, "", text);
    return text.toString();
  }

  private static void write(Map<?, ?> data, String indent, StringBuilder text) {
    data.forEach(
        (key, value) -> {
          text.append(indent).append(key).append(':');
          boolean large =
              value instanceof Map<?, ?> map
                  && !map.isEmpty()
                  && (LARGE.contains(key) || Canonical.of(map).length() > 60);
          if (large) {
            text.append('\n');
            write((Map<?, ?>) value, indent + "  ", text);
          } else {
            text.append(' ').append(inline(value)).append('\n');
          }
        });
  }

  private static String inline(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    inline(value, text);
    return text.toString();
  }

  private static void inline(@Nullable Object value, StringBuilder text) {
    switch (value) {
      case Map<?, ?> map -> {
        String separator = "{ ";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          text.append(separator).append(entry.getKey()).append(": ");
          inline(entry.getValue(), text);
          separator = ", ";
        }
        text.append(map.isEmpty() ? "{ }" : " }");
      }
      case List<?> list -> {
        text.append('[');
        String separator = "";
        for (Object item : list) {
          text.append(separator);
          inline(item, text);
          separator = ", ";
        }
        text.append(']');
      }
      case null -> text.append("null");
      case String plain when plain.matches("[A-Za-z][A-Za-z0-9_-]*") -> text.append(plain);
      default -> text.append(Canonical.of(value));
    }
  }
}
