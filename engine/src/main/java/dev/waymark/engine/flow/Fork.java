package dev.waymark.engine.flow;

import java.util.List;

/** Starts all its branches side by side. */
public final class Fork extends Vertex<Fork> {

  Fork(Sketch sketch) {
    super(sketch);
  }

  @Override
  Fork changed(Sketch changed) {
    return new Fork(changed);
  }

  /** Its id; the next verb names its branches. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Fork branches(String... activities) {
      return new Fork(sketch.with("branches", List.of(activities)));
    }
  }
}
