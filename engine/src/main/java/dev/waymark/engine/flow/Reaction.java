package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reaction to something that happens while an activity, or the whole run, is alive. */
public abstract sealed class Reaction<S extends Reaction<S>>
    permits ErrorReaction, TimeoutReaction, NamedReaction {

  final Map<String, @Nullable Object> fields;

  Reaction(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  abstract S changed(Map<String, @Nullable Object> changed);

  final S put(String field, @Nullable Object value) {
    return changed(PlainData.plus(fields, field, value));
  }

  /** Puts a value into a variable; it may see {@code Error}, or a payload as {@code Output}. */
  public final S output(String variable, @Nullable Object value) {
    return put("output", PlainData.plus(fields.get("output"), variable, value));
  }

  /** Exactly these variables; none keeps a payload from merging into them. */
  public final S output(Map<String, ? extends @Nullable Object> variables) {
    return put("output", variables);
  }

  /**
   * First undoes the completed activities inside the scope, the for-each or the run that reacts.
   */
  public final S compensating() {
    return put("compensate", true);
  }
}
