package dev.waymark.core.definition;

import dev.waymark.core.definition.schema.InputSchema;
import dev.waymark.core.expression.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule for the answers to an activity's waits: who may give one, and with what. It is asked in
 * the step that would consume the answer, so what it has seen is what is committed.
 *
 * @param roles the actor has one of them; empty means that none is asked for
 * @param groups the actor is in one of them; empty means that none is asked for
 * @param message what a refused caller is told about {@code when}
 * @param result what the answer, or a body's result, must look like
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
