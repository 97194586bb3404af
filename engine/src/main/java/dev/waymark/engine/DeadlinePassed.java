package dev.waymark.engine;

import org.jspecify.annotations.Nullable;

/**
 * The caller's time to wait is over. The command may still be carried out: ask again with the same
 * command id to learn the outcome.
 */
public final class DeadlinePassed extends EngineException {

  private static final long serialVersionUID = 1L;

  public DeadlinePassed(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
