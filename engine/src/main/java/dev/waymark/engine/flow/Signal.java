package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells every run of the tenant that waits for a signal now. */
public final class Signal extends Onward<Signal> {

  Signal(Sketch sketch) {
    super(sketch);
  }

  @Override
  Signal changed(Sketch changed) {
    return new Signal(changed);
  }

  public Signal payload(Map<String, ? extends @Nullable Object> payload) {
    return changed(sketch.with("payload", payload));
  }

  public Signal payload(Expr payload) {
    return changed(sketch.with("payload", payload));
  }

  /** Its id; the next verb gives the signal's name. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Signal name(String name) {
      return new Signal(sketch.with("name", name));
    }

    public Signal name(Expr name) {
      return new Signal(sketch.with("name", name));
    }
  }
}
