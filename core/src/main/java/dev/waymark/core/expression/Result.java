package dev.waymark.core.expression;

import dev.waymark.core.Json;
import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.expression.value.CelOperators;
import dev.waymark.core.expression.value.Trouble;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way out of an evaluation: a value of bounded size, in JSON's own kinds only. */
final class Result {

  private Result() {}

  static @Nullable Object of(Budget budget, @Nullable Object value) {
    boolean plain = measure(budget, value, 0);
    try {
      return Json.valueOf(plain ? value : withoutTimes(value));
    } catch (IllegalArgumentException e) {
      throw new Trouble("%s", String.valueOf(e.getMessage()));
    }
  }

  /** A value as a part of a text. A null there is a mistake nearly always: {@code /orders/null}. */
  static String textOf(Budget budget, @Nullable Object value) {
    if (value == null) {
      throw new Trouble("Expected a value to put into the text, but got null");
    }
    String text =
        value instanceof List<?> || value instanceof Map<?, ?>
            ? Json.write(of(budget, value))
            : CelOperators.string(budget, value);
    budget.deliver(text.length());
    return text;
  }

  /** Counts about as many characters as JSON takes, and tells whether there are no times inside. */
  private static boolean measure(Budget budget, @Nullable Object value, int depth) {
    if (depth > Json.MAX_DEPTH) {
      throw new Trouble("Expected a result of at most %d levels, but it has more", Json.MAX_DEPTH);
    }
    boolean plain = true;
    switch (value) {
      case String text -> budget.deliver(text.length() + 2L);
      case BigDecimal number -> budget.deliver(number.precision() + 2L);
      case List<?> list -> {
        budget.deliver(2L + list.size());
        for (Object element : list) {
          plain &= measure(budget, element, depth + 1);
        }
      }
      case Map<?, ?> map -> {
        budget.deliver(2L);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          budget.deliver(String.valueOf(entry.getKey()).length() + 4L);
          plain &= measure(budget, entry.getValue(), depth + 1);
        }
      }
      case null, default -> {
        budget.deliver(5L);
        plain = !(value instanceof Instant) && !(value instanceof Duration);
      }
    }
    return plain;
  }

  private static @Nullable Object withoutTimes(@Nullable Object value) {
    return switch (value) {
      case Instant time -> time.toString();
      case Duration span -> span.toString();
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(withoutTimes(element)));
        yield copy;
      }
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, element) -> copy.put(String.valueOf(key), withoutTimes(element)));
        yield copy;
      }
      case null, default -> value;
    };
  }
}
