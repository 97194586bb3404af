package dev.waymark.engine;

import org.jspecify.annotations.Nullable;

/**
 * A caller waited as long as it wanted to. What it asked for may still happen: ask again with the
 * same command id to learn the outcome.
 */
public final class DeadlinePassed extends EngineException {

  private static final long serialVersionUID = 1L;

  public DeadlinePassed(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
