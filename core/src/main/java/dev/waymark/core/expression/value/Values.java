package dev.waymark.core.expression.value;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Operations that all values have inside an evaluation: they can be compared, measured and shown.
 *
 * <p>Besides the values of JSON there are {@link Instant} and {@link Duration}; these become texts
 * when they leave (see {@code Result}).
 */
public final class Values {

  private Values() {}

  /**
   * Equality as in CEL: values of different kinds differ, numbers are equal if they count alike.
   */
  @SuppressWarnings(
      "ReferenceEquality") // Only spares the walk through a value compared with itself.
  static boolean same(Budget budget, @Nullable Object left, @Nullable Object right) {
    if (left == right) {
      return true;
    }
    budget.work(1);
    if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
      return Numbers.compare(left, right) == 0;
    }
    if (left instanceof String a && right instanceof String b) {
      budget.work(a.length() / 16);
      return a.equals(b);
    }
    if (left instanceof List<?> a && right instanceof List<?> b) {
      return sameElements(budget, a, b);
    }
    if (left instanceof Map<?, ?> a && right instanceof Map<?, ?> b) {
      return sameEntries(budget, a, b);
    }
    return Objects.equals(left, right);
  }

  private static boolean sameElements(Budget budget, List<?> left, List<?> right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!same(budget, left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameEntries(Budget budget, Map<?, ?> left, Map<?, ?> right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : left.entrySet()) {
      Object key = entry.getKey();
      if (!right.containsKey(key) || !same(budget, entry.getValue(), right.get(key))) {
        return false;
      }
    }
    return true;
  }

  /** Order of two numbers, two texts, two times, or of false before true. */
  static int order(Budget budget, String operator, @Nullable Object left, @Nullable Object right) {
    if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
      return Numbers.compare(left, right);
    }
    if (left instanceof String a && right instanceof String b) {
      budget.work(1 + Math.min(a.length(), b.length()) / 16);
      return Texts.compare(a, b);
    }
    if (left instanceof Boolean a && right instanceof Boolean b) {
      return Boolean.compare(a, b);
    }
    if (left instanceof Instant a && right instanceof Instant b) {
      return a.compareTo(b);
    }
    if (left instanceof Duration a && right instanceof Duration b) {
      return a.compareTo(b);
    }
    throw new Trouble(
        "Expected two numbers, two texts or two times around '%s', but got %s and %s",
        operator, shown(left), shown(right));
  }

  static boolean contains(Budget budget, @Nullable Object element, @Nullable Object container) {
    if (container instanceof Map<?, ?> map) {
      return element instanceof String && map.containsKey(element);
    }
    for (Object each : list("in", container)) {
      if (same(budget, each, element)) {
        return true;
      }
    }
    return false;
  }

  static long size(Budget budget, @Nullable Object value) {
    return switch (value) {
      case String text -> {
        budget.work(text.length() / 16);
        yield text.codePointCount(0, text.length());
      }
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      case null, default ->
          throw new Trouble(
              "Expected a text, a list or an object for 'size', but got %s", shown(value));
    };
  }

  static List<?> list(String user, @Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new Trouble("Expected a list for '%s', but got %s", user, shown(value));
  }

  public static String text(String user, @Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new Trouble("Expected a text for '%s', but got %s", user, shown(value));
  }

  static String text(@Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new Trouble("Expected a text, but got %s", shown(value));
  }

  public static boolean truth(@Nullable Object value) {
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw new Trouble("Expected true or false, but got %s", shown(value));
  }

  /** For messages: values are shown last and least, see {@link Shown}. */
  public static Shown shown(@Nullable Object value) {
    return new Shown(value);
  }
}
