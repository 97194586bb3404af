package dev.waymark.core.definition;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * An activity's reaction to something that happens while it is alive.
 *
 * @param match the errors, or the messages of its name, that it takes; if absent, all of them
 * @param trigger an object: {@code after} or {@code until} of a timeout, {@code name} of a message
 *     or signal, empty for an error
 * @param to where it leads; absent if the run fails instead
 * @param interrupt whether the activity is cancelled for it
 * @param compensate whether the completed activities inside are undone first
 * @param output the values that it puts into the variables
 */
public record Reaction(
    On on,
    @Nullable Condition match,
    Template trigger,
    @Nullable String to,
    boolean interrupt,
    boolean compensate,
    @Nullable Template output) {

  /** The kind of event that is reacted to. */
  public enum On {
    ERROR,
    TIMEOUT,
    MESSAGE,
    SIGNAL
  }

  public Reaction {
    requireNonNull(on, "on");
    requireNonNull(trigger, "trigger");
    if (!interrupt && (to == null || compensate || on == On.ERROR)) {
      throw new IllegalArgumentException(
          "Expected an interruption where a reaction to %s fails, compensates or takes an error"
              .formatted(on));
    }
  }
}
