package dev.waymark.core.definition;

import dev.waymark.core.Limits;
import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.Root;
import dev.waymark.core.expression.Scope;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that begins a run of its definition, if no run waits for it.
 *
 * @param match which of that name, by what they say as {@code Output}; absent, all of them
 */
public record MessageStart(String name, @Nullable Condition match) {

  public MessageStart {
    Limits.name("a message name", name);
  }

  /** Why it does not take a message of its name; absent if it does. */
  public @Nullable String refusal(Map<String, @Nullable Object> payload) {
    try {
      return match == null || match.holds(Scope.EMPTY.with(Root.OUTPUT, payload))
          ? null
          : "Expected 'match' to hold, but it does not: " + match.source();
    } catch (ExpressionException e) {
      return "Expected 'match' to hold, but it has no value: " + e.getMessage();
    }
  }
}
