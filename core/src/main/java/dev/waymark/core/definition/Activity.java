package dev.waymark.core.definition;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.Template;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A vertex of a definition: the work there, and the transitions from there.
 *
 * @param scope the activity that this one stands inside of; absent for an outermost one
 * @param with the activity's input, evaluated when it is entered
 * @param schema the schema for the evaluated input; absent if the text alone could be checked
 * @param output the expressions that put its result into the variables; if absent, the whole result
 *     merges into them
 * @param repeatable whether a body whose node died may simply be run again
 * @param reactions its reactions to events while it is alive, in the order of the text
 * @param compensate the activity that undoes this one once it is completed
 * @param block the activities inside it; absent for a type that has no inside
 */
public record Activity(
    String id,
    String type,
    @Nullable String scope,
    Template with,
    @Nullable WithSchema schema,
    @Nullable Template output,
    List<Transition> next,
    RetryPolicy retry,
    Duration timeout,
    boolean repeatable,
    List<Reaction> reactions,
    @Nullable Guard guard,
    @Nullable String compensate,
    @Nullable Block block) {

  /** One way on: taken if its condition holds, or if it has none. The first that matches wins. */
  public record Transition(@Nullable Condition when, String to) {

    public Transition {
      requireNonNull(to, "to");
    }
  }

  public Activity {
    requireNonNull(id, "id");
    requireNonNull(type, "type");
    requireNonNull(with, "with");
    next = List.copyOf(next);
    requireNonNull(retry, "retry");
    requireNonNull(timeout, "timeout");
    reactions = List.copyOf(reactions);
  }
}
