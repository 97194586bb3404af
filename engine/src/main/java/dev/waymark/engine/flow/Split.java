package dev.waymark.engine.flow;

/** Takes every way whose condition holds, side by side; one without only if no other holds. */
public final class Split extends Vertex<Split> {

  Split(Sketch sketch) {
    super(sketch);
  }

  @Override
  Split changed(Sketch changed) {
    return new Split(changed);
  }

  /** Its id; the next verb names its ways. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Split next(Way first, Way... more) {
      return new Split(sketch.put("next", Way.documents(first, more)));
    }
  }
}
