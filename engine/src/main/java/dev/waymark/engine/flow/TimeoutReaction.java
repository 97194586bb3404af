package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reaction to something that has taken too long. */
public final class TimeoutReaction extends Reaction<TimeoutReaction> {

  private TimeoutReaction(Map<String, @Nullable Object> fields) {
    super(fields);
  }

  @Override
  TimeoutReaction changed(Map<String, @Nullable Object> changed) {
    return new TimeoutReaction(changed);
  }

  /** Lets the late activity go on, and starts another one beside it. */
  public TimeoutReaction beside() {
    return put("interrupt", false);
  }

  /** The moment from which it is too late; the reaction to it comes next. */
  public static final class Deadline {

    private final Map<String, @Nullable Object> fields;

    Deadline(Map<String, @Nullable Object> fields) {
      this.fields = fields;
    }

    public TimeoutReaction to(String activity) {
      return new TimeoutReaction(PlainData.plus(fields, "to", activity));
    }

    /** Ends the run as failed with code {@code TIMEOUT}. */
    public TimeoutReaction fails() {
      return new TimeoutReaction(PlainData.plus(fields, "fail", true));
    }
  }
}
