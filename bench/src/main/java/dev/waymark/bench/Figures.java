package dev.waymark.bench;

import dev.waymark.core.Json;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run has found, by name and in the order in which it is printed. */
final class Figures {

  private static final int DECIMALS = 3;

  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

  Figures put(String name, String value) {
    values.put(name, value);
    return this;
  }

  Figures put(String name, boolean value) {
    values.put(name, value);
    return this;
  }

  Figures put(String name, long value) {
    values.put(name, value);
    return this;
  }

  /** A measured number; absent where this database cannot say, or there was nothing to count. */
  Figures put(String name, @Nullable Double value) {
    values.put(name, value == null || !Double.isFinite(value) ? null : rounded(value));
    return this;
  }

  private static BigDecimal rounded(double value) {
    return BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP).stripTrailingZeros();
  }

  /** A number by its name; absent if it is no number or was not found. */
  @Nullable Double number(String name) {
    return values.get(name) instanceof Number number ? number.doubleValue() : null;
  }

  String toJson() {
    return Json.write(values);
  }

  /** Each number is the median of its own; whatever is no number is taken from the last run. */
  static Figures medianOf(List<Figures> runs) {
    Figures median = new Figures();
    Figures last = runs.get(runs.size() - 1);
    for (String name : last.values.keySet()) {
      List<Double> numbers = new ArrayList<>();
      for (Figures run : runs) {
        Double number = run.number(name);
        if (number != null) {
          numbers.add(number);
        }
      }
      if (numbers.isEmpty()) {
        median.values.put(name, last.values.get(name));
      } else {
        median.put(name, middle(numbers.stream().sorted().toList()));
      }
    }
    return median;
  }

  private static Double middle(List<Double> sorted) {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : Double.valueOf((sorted.get(half - 1) + sorted.get(half)) / 2);
  }
}
