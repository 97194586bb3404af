package dev.waymark.proof.program;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One text for equal data, whatever order its maps came in. */
final class Canonical {

  private Canonical() {}

  static String text(Outcome.Ended run) {
    return "%s %s %s %s".formatted(run.flow(), run.status(), run.code(), of(run.variables()));
  }

  static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
      case Map<?, ?> map ->
          new TreeMap<>(map)
              .entrySet().stream()
                  .map(e -> of(e.getKey()) + ": " + of(e.getValue()))
                  .collect(Collectors.joining(", ", "{", "}"));
      case List<?> list ->
          list.stream().map(Canonical::of).collect(Collectors.joining(", ", "[", "]"));
      case Number number -> new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
      default -> value.toString();
    };
  }
}
