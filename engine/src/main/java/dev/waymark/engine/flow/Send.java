package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends a message to one run. */
public final class Send extends Onward<Send> {

  Send(Sketch sketch) {
    super(sketch);
  }

  @Override
  Send changed(Sketch changed) {
    return new Send(changed);
  }

  public Send payload(Map<String, ? extends @Nullable Object> payload) {
    return changed(sketch.with("payload", payload));
  }

  public Send payload(Expr payload) {
    return changed(sketch.with("payload", payload));
  }

  /** Its id; the next verbs name the addressee and the message. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    /** The instance that gets it. */
    public Addressed to(Expr instance) {
      return new Addressed(sketch.with("to", instance));
    }

    public Addressed to(String instance) {
      return new Addressed(sketch.with("to", instance));
    }
  }

  /** The addressee; the next verb gives the message's name. */
  public static final class Addressed {

    private final Sketch sketch;

    Addressed(Sketch sketch) {
      this.sketch = sketch;
    }

    public Send name(String name) {
      return new Send(sketch.with("name", name));
    }

    public Send name(Expr name) {
      return new Send(sketch.with("name", name));
    }
  }
}
