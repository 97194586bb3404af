package dev.waymark.engine.flow;

/** An activity that takes an answer, which a guard can refuse. */
public abstract sealed class Guarded<S extends Guarded<S>> extends Onward<S>
    permits Body, WaitFor, Race, ForPeople {

  Guarded(Sketch sketch) {
    super(sketch);
  }

  /**
   * The conditions on the actor that answers, and on the answer; for a body, those on its result.
   */
  public final S guard(Guard guard) {
    return changed(sketch.put("guard", guard.fields));
  }
}
