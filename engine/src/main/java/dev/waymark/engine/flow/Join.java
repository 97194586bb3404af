package dev.waymark.engine.flow;

/** Gathers the branches of a fork or split: all of them, unless it says otherwise. */
public final class Join extends Onward<Join> {

  Join(Sketch sketch) {
    super(sketch);
  }

  @Override
  Join changed(Sketch changed) {
    return new Join(changed);
  }

  public Join all() {
    return changed(sketch.with("wait", "all"));
  }

  /** Goes on with the first that comes. */
  public Join any() {
    return changed(sketch.with("wait", "any"));
  }

  /** Goes on when this number of branches have arrived. */
  public Join atLeast(int branches) {
    return changed(sketch.with("wait", branches));
  }

  /** Cancels the branches that have not arrived when it goes on. */
  public Join cancelRest() {
    return changed(sketch.with("rest", "cancel"));
  }

  /** Lets the branches that have not arrived go on, and takes them in silently. */
  public Join continueRest() {
    return changed(sketch.with("rest", "continue"));
  }
}
