package dev.waymark.engine.flow;

/** Ends the whole run at once, as completed unless it says otherwise. */
public final class Terminate extends Vertex<Terminate> {

  Terminate(Sketch sketch) {
    super(sketch);
  }

  @Override
  Terminate changed(Sketch changed) {
    return new Terminate(changed);
  }

  public Terminate completed() {
    return changed(sketch.with("status", "completed"));
  }

  /** Ends the run as cancelled, with the reason. */
  public Terminate cancelled(String reason) {
    return changed(sketch.with("status", "cancelled").with("message", reason));
  }

  /** Ends the run as failed, with a code for programs and a message for people. */
  public Terminate failed(String code, String message) {
    return changed(sketch.with("status", "failed").with("code", code).with("message", message));
  }
}
