package dev.waymark.engine.flow;

import org.jspecify.annotations.Nullable;

/** Runs the activities inside it, with variables of their own. */
public final class Scope extends Block<Scope> {

  Scope(Sketch sketch) {
    super(sketch);
  }

  @Override
  Scope changed(Sketch changed) {
    return new Scope(changed);
  }

  /** Its id and variables; the next verb names its first activity. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    /** A variable of its own, with its value when the scope is entered. */
    public Open variable(String name, @Nullable Object value) {
      return new Open(sketch.put("variables", name, value));
    }

    public Scope start(String activity) {
      return new Scope(sketch.put("start", activity));
    }
  }
}
