package dev.waymark.engine.flow;

/** An activity with activities inside it. */
public abstract sealed class Block<S extends Block<S>> extends Onward<S> permits Scope, ForEach {

  Block(Sketch sketch) {
    super(sketch);
  }

  public final S activity(Vertex<?> activity) {
    return changed(sketch.inside(activity));
  }

  public final S activities(Vertex<?>... activities) {
    return changed(sketch.inside(activities));
  }
}
