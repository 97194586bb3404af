package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Publishes an event. */
public final class Emit extends Onward<Emit> {

  Emit(Sketch sketch) {
    super(sketch);
  }

  @Override
  Emit changed(Sketch changed) {
    return new Emit(changed);
  }

  public Emit data(Map<String, ? extends @Nullable Object> data) {
    return changed(sketch.with("data", data));
  }

  public Emit data(Expr data) {
    return changed(sketch.with("data", data));
  }

  /** Its id; the next verb names the event's type. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Emit type(String type) {
      return new Emit(sketch.with("type", type));
    }

    public Emit type(Expr type) {
      return new Emit(sketch.with("type", type));
    }
  }
}
