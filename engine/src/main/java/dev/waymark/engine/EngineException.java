package dev.waymark.engine;

import org.jspecify.annotations.Nullable;

/** A fault of the world or of ours that a caller of the engine gets to see. */
public class EngineException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public EngineException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public static EngineException closed() {
    return new EngineException("Expected an open engine, but it is closed", null);
  }

  /** The exception that a caller should see for a failure that happened in a task. */
  public static RuntimeException unwrap(@Nullable Throwable cause) {
    if (cause instanceof EngineException ours) {
      return ours;
    }
    return new EngineException(
        cause == null ? "The task failed" : String.valueOf(cause.getMessage()), cause);
  }
}
