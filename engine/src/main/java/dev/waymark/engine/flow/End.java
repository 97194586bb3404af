package dev.waymark.engine.flow;

/** Ends its branch. */
public final class End extends Vertex<End> {

  End(Sketch sketch) {
    super(sketch);
  }

  @Override
  End changed(Sketch changed) {
    return new End(changed);
  }
}
