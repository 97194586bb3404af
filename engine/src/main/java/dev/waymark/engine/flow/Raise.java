package dev.waymark.engine.flow;

/** Is a fault, for an {@code onError} further out. */
public final class Raise extends Vertex<Raise> {

  Raise(Sketch sketch) {
    super(sketch);
  }

  @Override
  Raise changed(Sketch changed) {
    return new Raise(changed);
  }

  public Raise message(String text) {
    return changed(sketch.with("message", text));
  }

  /** Its id; the next verb names the error that it raises. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Raise code(String code) {
      return new Raise(sketch.with("code", code));
    }

    public Raise code(Expr code) {
      return new Raise(sketch.with("code", code));
    }
  }
}
