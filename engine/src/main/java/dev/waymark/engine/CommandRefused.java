package dev.waymark.engine;

import dev.waymark.core.step.Decision.Rejection;

/** A refusal as an exception, for callers who asked for one with {@link Answer#orThrow}. */
public final class CommandRefused extends EngineException {

  private static final long serialVersionUID = 1L;

  private final transient Rejection rejection;

  public CommandRefused(Rejection rejection) {
    super(rejection.message(), null);
    this.rejection = rejection;
  }

  public Rejection rejection() {
    return rejection;
  }
}
