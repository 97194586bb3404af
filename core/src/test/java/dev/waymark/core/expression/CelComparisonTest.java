package dev.waymark.core.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import dev.waymark.core.expression.OfficialCel.Refusal;
import dev.waymark.core.expression.value.EvaluationScope;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our evaluator against dev.cel's own: alike but for the differences that have a name. */
class CelComparisonTest {

  private static final int COUNT = Integer.getInteger("expressions", 3_000);
  private static final long SEED = Long.getLong("expressions.seed", 20261116L);

  private static final Map<String, @Nullable Object> VARIABLES =
      Json.readObject(
          """
          {"n": 7, "d": 2.5, "s": "gold", "b": true, "l": [1, -2, 3], "o": {"a": "x", "gold": "12"}}
          """);

  private static Object ours(String source) {
    try {
      Object value =
          Sample.EXPRESSIONS
              .compile(source, "/test", Sample.ALL)
              .evaluate(EvaluationScope.of(VARIABLES));
      return value == null ? "null" : value;
    } catch (ExpressionException e) {
      return Refusal.ERROR;
    }
  }

  @Test
  void random_expressions_come_to_the_same_in_both() {
    Random random = new Random(SEED);
    List<String> different = new ArrayList<>();
    int values = 0;
    for (int i = 0; i < COUNT && different.size() < 10; i++) {
      RandomExpression.Pair pair = new RandomExpression(random).draw();
      Object here = ours(pair.ours());
      Object there = OfficialCel.evaluate(pair.theirs(), VARIABLES);
      if (!same(here, there)) {
        different.add("%s%n   we: %s, dev.cel: %s".formatted(pair.theirs(), here, there));
      }
      values += here == Refusal.ERROR ? 0 : 1;
    }
    assertThat(different).as("seed %d", SEED).isEmpty();
    assertThat(values).as("expressions that come to a value").isGreaterThan(COUNT / 3);
  }

  /** Numbers count alike; dev.cel has only doubles where we have decimals. */
  private static boolean same(Object here, Object there) {
    if (here instanceof List<?> a && there instanceof List<?> b) {
      boolean same = a.size() == b.size();
      for (int i = 0; same && i < a.size(); i++) {
        same = same(a.get(i), b.get(i));
      }
      return same;
    }
    if (here instanceof BigDecimal decimal && there instanceof Double number) {
      return decimal.compareTo(new BigDecimal(number)) == 0;
    }
    if (here instanceof Long integer && there instanceof Double number) {
      return number.doubleValue() == integer.doubleValue();
    }
    return here.equals(there);
  }

  @ParameterizedTest
  @EnumSource
  void a_difference_is_as_the_page_says(Difference difference) {
    assertThat(shown(ours(difference.example))).isEqualTo(difference.ours);
    assertThat(shown(OfficialCel.evaluate(difference.theirs, VARIABLES))).isEqualTo(difference.cel);
  }

  private static String shown(Object value) {
    return value == Refusal.ERROR
        ? "an error"
        : value instanceof String s ? "'" + s + "'" : value + "";
  }
}
