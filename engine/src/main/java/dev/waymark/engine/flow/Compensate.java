package dev.waymark.engine.flow;

/**
 * Undoes the completed activities of its scope, all of them unless it names one, and then goes on.
 */
public final class Compensate extends Onward<Compensate> {

  Compensate(Sketch sketch) {
    super(sketch);
  }

  @Override
  Compensate changed(Sketch changed) {
    return new Compensate(changed);
  }

  /** Undoes this activity alone. */
  public Compensate only(String activity) {
    return changed(sketch.with("activity", activity));
  }
}
