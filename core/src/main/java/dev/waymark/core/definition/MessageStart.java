package dev.waymark.core.definition;

import dev.waymark.core.Limits;
import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that begins a run of its definition, if no run waits for it.
 *
 * @param match a condition on the message as {@code Output}; if absent, every message of that name
 * @param businessKey the key under which the run begins, so that there is one at a time; if absent,
 *     the run has no key
 */
public record MessageStart(String name, @Nullable Condition match, @Nullable Template businessKey) {

  public MessageStart {
    Limits.name("a message name", name);
  }

  /** The reason why it does not take a message of its name; absent if it does. */
  public @Nullable String refusal(Map<String, @Nullable Object> payload) {
    try {
      return match == null || match.holds(EvaluationScope.EMPTY.with(Root.OUTPUT, payload))
          ? null
          : "Expected 'match' to hold, but it does not: " + match.source();
    } catch (ExpressionException e) {
      return "Expected 'match' to hold, but it has no value: " + e.getMessage();
    }
  }

  /**
   * The business key of the run that a message begins; absent if this asks for none.
   *
   * @throws IllegalArgumentException if it comes to something that is no key
   */
  public @Nullable String keyOf(
      Map<String, @Nullable Object> payload, @Nullable String correlation) {
    if (businessKey == null) {
      return null;
    }
    Map<String, @Nullable Object> context = new HashMap<>();
    context.put("correlationId", correlation);
    EvaluationScope scope =
        EvaluationScope.EMPTY.with(Root.OUTPUT, payload).with(Root.CONTEXT, context);
    Object key;
    try {
      key = businessKey.evaluate(scope);
    } catch (ExpressionException e) {
      throw new IllegalArgumentException(
          "Expected 'businessKey' to be a text, but it has no value: " + e.getMessage(), e);
    }
    if (!(key instanceof String || key instanceof Long)) {
      throw new IllegalArgumentException(
          "Expected 'businessKey' to be a text or a whole number, but got " + key);
    }
    return Limits.name("a business key", key.toString());
  }
}
