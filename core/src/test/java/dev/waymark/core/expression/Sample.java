package dev.waymark.core.expression;

import dev.waymark.core.Json;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The data that most of these tests look at. */
final class Sample {

  static final Expressions EXPRESSIONS = new Expressions();

  static final Set<Root> ALL = EnumSet.allOf(Root.class);

  static final EvaluationScope SCOPE =
      EvaluationScope.of(
          Json.readObject(
              """
              {"amount": 10.10, "count": 10, "large": 10000.01, "tier": "gold", "nothing": null,
               "mixed": [1, 2.5, 3], "customer": {"name": "Ann", "vip": true}, "yes": "yes",
               "lines": [{"price": 1.10, "quantity": 3}, {"price": 2.25, "quantity": 2}]}
              """));

  private Sample() {}

  static @Nullable Object evaluate(String source) {
    return EXPRESSIONS.compile(source, "/test", ALL).evaluate(SCOPE);
  }

  /** The message of the one fault that comes of it. */
  static String fault(String source) {
    try {
      return "no fault, but " + evaluate(source);
    } catch (ExpressionException e) {
      return e.faults().get(0).message();
    }
  }
}
