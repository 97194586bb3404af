package dev.waymark.engine;

/** A queue of the engine is full: nothing was taken in, and trying later is right. */
public final class Overloaded extends EngineException {

  private static final long serialVersionUID = 1L;

  public Overloaded(String message) {
    super(message, null);
  }
}
