package dev.waymark.engine.flow;

import dev.waymark.core.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns Java values into what stands in a definition. */
final class PlainData {

  private PlainData() {}

  /** Expressions, durations and instants become texts, at any depth; the rest as {@link Json}. */
  static @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case Expr expression -> expression.toString();
      case Duration duration -> text(duration);
      case Instant instant -> instant.toString();
      case Map<?, ?> map -> {
        Map<Object, @Nullable Object> copy = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((name, element) -> copy.put(name, of(element)));
        yield Json.valueOf(copy);
      }
      case Collection<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>(list.size());
        list.forEach(element -> copy.add(of(element)));
        yield Json.valueOf(copy);
      }
      case null, default -> Json.valueOf(value);
    };
  }

  /** {@code P30D}, where {@link Duration#toString} says {@code PT720H}. */
  static String text(Duration duration) {
    long days = duration.toDays();
    Duration rest = duration.minusDays(days);
    if (days == 0 || rest.isNegative()) {
      return duration.toString();
    }
    return "P" + days + "D" + (rest.isZero() ? "" : rest.toString().substring(1));
  }

  /** The same list with one more element, at its end. */
  static List<@Nullable Object> appended(@Nullable Object before, @Nullable Object value) {
    List<@Nullable Object> after = new ArrayList<>();
    if (before instanceof List<?> list) {
      after.addAll(list);
    }
    after.add(of(value));
    return after;
  }

  /** The same map with one more entry, at its end. */
  static Map<String, @Nullable Object> plus(
      @Nullable Object before, String name, @Nullable Object value) {
    Map<String, @Nullable Object> after = new LinkedHashMap<>();
    if (before instanceof Map<?, ?> map) {
      map.forEach((key, element) -> after.put(String.valueOf(key), element));
    }
    after.put(name, of(value));
    return after;
  }
}
