package dev.waymark.engine.flow;

/**
 * An activity of a flow, of any type. Every activity has an id, a description, and reactions to
 * events while it is alive.
 */
public abstract sealed class Vertex<S extends Vertex<S>>
    permits Onward, End, Terminate, Raise, Fork, Split {

  final Sketch sketch;

  Vertex(Sketch sketch) {
    this.sketch = sketch;
  }

  abstract S changed(Sketch changed);

  public final String id() {
    return sketch.id();
  }

  public final S description(String text) {
    return changed(sketch.put("description", text));
  }

  /** Asked in their order, once retries are used up. */
  public final S onError(ErrorReaction first, ErrorReaction... more) {
    return changed(sketch.on("error", Reactions.listed(first, more)));
  }

  public final S onTimeout(TimeoutReaction first, TimeoutReaction... more) {
    return changed(sketch.on("timeout", Reactions.listed(first, more)));
  }

  public final S onMessage(NamedReaction first, NamedReaction... more) {
    return changed(sketch.on("message", Reactions.listed(first, more)));
  }

  public final S onSignal(NamedReaction first, NamedReaction... more) {
    return changed(sketch.on("signal", Reactions.listed(first, more)));
  }
}
