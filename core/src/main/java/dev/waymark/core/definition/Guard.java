package dev.waymark.core.definition;

import dev.waymark.core.definition.schema.InputSchema;
import dev.waymark.core.expression.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule for the answers to an activity's waits: the people who may give one, and the data that it
 * must have. The step that would consume the answer checks it, so the checked data is the committed
 * data.
 *
 * @param roles the actor has one of them; empty means that no role is needed
 * @param groups the actor is in one of them; empty means that no group is needed
 * @param message the text about {@code when} for a caller that is refused
 * @param result the schema of the answer, or of a body's result
 */
public record Guard(
    List<String> roles,
    List<String> groups,
    @Nullable Condition when,
    @Nullable String message,
    @Nullable InputSchema result) {

  public Guard {
    roles = List.copyOf(roles);
    groups = List.copyOf(groups);
  }
}
