package dev.waymark.core.expression.value;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operators whose meaning depends on what kinds of values they meet. */
public final class CelOperators {

  /** The cost of one element of a list, in characters. */
  public static final int ELEMENT = 8;

  /** The cost of one entry of an object, in characters. */
  public static final int ENTRY = 32;

  private static final int SHOWN_KEYS = 10;

  private static final Set<String> TRUE = Set.of("true", "True", "TRUE", "t", "T", "1");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE", "f", "F", "0");

  private CelOperators() {}

  static Object add(Budget budget, @Nullable Object left, @Nullable Object right) {
    if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
      return Numbers.add(budget, left, right);
    }
    if (left instanceof String a && right instanceof String b) {
      return Texts.concat(budget, a, b);
    }
    if (left instanceof List<?> a && right instanceof List<?> b) {
      return concat(budget, a, b);
    }
    if (left instanceof Instant time && right instanceof Duration span) {
      return Times.plus(time, span);
    }
    if (left instanceof Duration span && right instanceof Instant time) {
      return Times.plus(time, span);
    }
    if (left instanceof Duration a && right instanceof Duration b) {
      return Times.plus(a, b);
    }
    String hint =
        left instanceof String || right instanceof String ? "; string(…) makes texts" : "";
    throw unfit("two numbers, two texts, two lists or times", "+", left, right, hint);
  }

  static Object subtract(Budget budget, @Nullable Object left, @Nullable Object right) {
    if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
      return Numbers.subtract(budget, left, right);
    }
    if (left instanceof Instant a && right instanceof Instant b) {
      return Duration.between(b, a);
    }
    if (left instanceof Instant time && right instanceof Duration span) {
      return Times.plus(time, Times.negated(span));
    }
    if (left instanceof Duration a && right instanceof Duration b) {
      return Times.plus(a, Times.negated(b));
    }
    throw unfit("two numbers or times", "-", left, right, "");
  }

  static Object multiply(Budget budget, @Nullable Object left, @Nullable Object right) {
    requireNumbers("*", left, right);
    return Numbers.multiply(budget, left, right);
  }

  static Object divide(Budget budget, @Nullable Object left, @Nullable Object right) {
    requireNumbers("/", left, right);
    return Numbers.divide(budget, left, right);
  }

  static Object wholeQuotient(Budget budget, @Nullable Object left, @Nullable Object right) {
    requireNumbers("div", left, right);
    return Numbers.wholeQuotient(budget, left, right);
  }

  static Object remainder(Budget budget, @Nullable Object left, @Nullable Object right) {
    requireNumbers("%", left, right);
    return Numbers.remainder(budget, left, right);
  }

  static Object negate(@Nullable Object value) {
    return value instanceof Duration span ? Times.negated(span) : Numbers.negate(value);
  }

  /** The smallest or largest of two numbers or of a list of numbers. */
  static Object extreme(Budget budget, String name, @Nullable Object[] arguments, int sign) {
    List<?> candidates =
        arguments.length == 1 ? Values.list(name, arguments[0]) : Arrays.asList(arguments);
    if (candidates.isEmpty()) {
      throw new Trouble("Expected at least one number for '%s', but got an empty list", name);
    }
    budget.work(candidates.size());
    Object best = Numbers.number(name, candidates.get(0));
    for (Object candidate : candidates) {
      Object number = Numbers.number(name, candidate);
      best = Numbers.compare(number, best) * sign > 0 ? number : best;
    }
    return best;
  }

  static Object sum(Budget budget, @Nullable Object list) {
    Object sum = 0L;
    for (Object element : Values.list("sum", list)) {
      budget.work(1);
      sum = Numbers.add(budget, sum, Numbers.number("sum", element));
    }
    return sum;
  }

  public static String string(Budget budget, @Nullable Object value) {
    return switch (value) {
      case String text -> text;
      case BigDecimal number -> allocated(budget, Numbers.plain(number));
      case Long number -> allocated(budget, number.toString());
      case Boolean truth -> truth.toString();
      case Instant time -> allocated(budget, time.toString());
      case Duration span -> allocated(budget, span.toString());
      case null, default ->
          throw new Trouble(
              "Expected a text, a number, true, false or a time for 'string', but got %s",
              Values.shown(value));
    };
  }

  /** True and false for the words that CEL accepts for them. */
  static boolean bool(@Nullable Object value) {
    return switch (value) {
      case Boolean truth -> truth;
      case String text when TRUE.contains(text) -> true;
      case String text when FALSE.contains(text) -> false;
      case null, default ->
          throw new Trouble(
              "Expected true, false or a text that says so for 'bool', but got %s",
              Values.shown(value));
    };
  }

  static @Nullable Object index(@Nullable Object container, @Nullable Object index) {
    if (container instanceof Map<?, ?> map) {
      return select("the object", map, Values.text("[…]", index));
    }
    List<?> list = Values.list("[…]", container);
    if (Numbers.isNumber(index) && Numbers.isWithin(index, list.size())) {
      return list.get(((Number) requireNonNull(index)).intValue());
    }
    if (list.isEmpty()) {
      throw new Trouble("Expected an element, but the list is empty");
    }
    throw new Trouble(
        "Expected an index from 0 to %d, but got %s", list.size() - 1, Values.shown(index));
  }

  /** The value of a key that must be there. */
  public static @Nullable Object select(String holder, @Nullable Object object, String key) {
    if (!(object instanceof Map<?, ?> map)) {
      throw new Trouble(
          "Expected %s to be an object with key '%s', but got %s",
          holder, key, Values.shown(object));
    }
    Object value = map.get(key);
    if (value == null && !map.containsKey(key)) {
      String hint =
          holder.equals(Root.ENV.label())
              ? "; an expression sees only the names that the configuration lists"
              : "";
      throw new Trouble("Expected key '%s' in %s, but %s%s", key, holder, new Keys(map), hint);
    }
    return value;
  }

  /** The keys that there are, for a message; written out only if that is shown. */
  private record Keys(Map<?, ?> map) {
    @Override
    public String toString() {
      if (map.isEmpty()) {
        return "it has no keys";
      }
      int more = map.size() - SHOWN_KEYS;
      return map.keySet().stream()
          .limit(SHOWN_KEYS)
          .map(String::valueOf)
          .collect(joining(", ", "its keys are ", more > 0 ? " and " + more + " more" : ""));
    }
  }

  private static List<?> concat(Budget budget, List<?> left, List<?> right) {
    budget.allocate(((long) left.size() + right.size()) * ELEMENT);
    List<@Nullable Object> both = new ArrayList<>(left.size() + right.size());
    both.addAll(left);
    both.addAll(right);
    return Collections.unmodifiableList(both);
  }

  private static String allocated(Budget budget, String text) {
    budget.allocate(text.length());
    return text;
  }

  private static void requireNumbers(String sign, @Nullable Object left, @Nullable Object right) {
    if (!Numbers.isNumber(left) || !Numbers.isNumber(right)) {
      throw unfit("two numbers", sign, left, right, "");
    }
  }

  private static Trouble unfit(
      String wanted, String sign, @Nullable Object left, @Nullable Object right, String hint) {
    return new Trouble(
        "Expected %s around '%s', but got %s and %s%s",
        wanted, sign, Values.shown(left), Values.shown(right), hint);
  }
}
