package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reaction to an error whose retries are used up. */
public final class ErrorReaction extends Reaction<ErrorReaction> {

  private ErrorReaction(Map<String, @Nullable Object> fields) {
    super(fields);
  }

  @Override
  ErrorReaction changed(Map<String, @Nullable Object> changed) {
    return new ErrorReaction(changed);
  }

  /** The errors that are meant; the reaction to them comes next. */
  public static final class Matched {

    private final Map<String, @Nullable Object> fields;

    Matched(Map<String, @Nullable Object> fields) {
      this.fields = fields;
    }

    public ErrorReaction to(String activity) {
      return new ErrorReaction(PlainData.plus(fields, "to", activity));
    }

    /** Ends the run as failed with the error. */
    public ErrorReaction fails() {
      return new ErrorReaction(PlainData.plus(fields, "fail", true));
    }
  }
}
