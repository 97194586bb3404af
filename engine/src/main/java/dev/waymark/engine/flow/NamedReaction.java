package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reaction to a message or a signal of a name that comes in. */
public final class NamedReaction extends Reaction<NamedReaction> {

  private NamedReaction(Map<String, @Nullable Object> fields) {
    super(fields);
  }

  @Override
  NamedReaction changed(Map<String, @Nullable Object> changed) {
    return new NamedReaction(changed);
  }

  /** Lets the activity go on, and starts the other beside it, each time anew. */
  public NamedReaction beside() {
    return put("interrupt", false);
  }

  /** The correlation key that a message must name to be for this run; signals are for all runs. */
  public NamedReaction correlate(Expr correlation) {
    return put("correlate", correlation);
  }

  /**
   * The messages of that name that are meant: a condition in CEL, which sees the message as Output.
   * Others stay, for another wait; signals cannot be chosen so.
   */
  public NamedReaction match(String condition) {
    return put("match", condition);
  }

  /** The name; the next verb says what is done about it. */
  public static final class Name {

    private final Map<String, @Nullable Object> fields;

    Name(Map<String, @Nullable Object> fields) {
      this.fields = fields;
    }

    public NamedReaction to(String activity) {
      return new NamedReaction(PlainData.plus(fields, "to", activity));
    }
  }
}
