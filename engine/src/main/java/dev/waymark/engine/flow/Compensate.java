package dev.waymark.engine.flow;

/** Undoes what is completed in its scope, all of it unless it says otherwise, and goes on then. */
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
