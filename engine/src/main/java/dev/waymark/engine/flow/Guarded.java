package dev.waymark.engine.flow;

/** An activity that takes an answer, which a guard can refuse. */
public abstract sealed class Guarded<S extends Guarded<S>> extends Onward<S>
    permits Body, WaitFor, Race, ForPeople {

  Guarded(Sketch sketch) {
    super(sketch);
  }

  /** Who may answer, and with what; for a body, what its result must be. */
  public final S guard(Guard guard) {
    return changed(sketch.put("guard", guard.fields));
  }
}
