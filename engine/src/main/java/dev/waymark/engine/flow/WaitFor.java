package dev.waymark.engine.flow;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Waits for one answer, which is its output. */
public final class WaitFor extends Guarded<WaitFor> {

  WaitFor(Sketch sketch) {
    super(sketch);
  }

  @Override
  WaitFor changed(Sketch changed) {
    return new WaitFor(changed);
  }

  /** Under which name; without it, the activity's id. */
  public WaitFor key(String name) {
    return changed(sketch.with("key", name));
  }

  public WaitFor key(Expr name) {
    return changed(sketch.with("key", name));
  }

  /** The correlation key that a message must name to be for this run. */
  public WaitFor correlate(Expr correlation) {
    return changed(sketch.with("correlate", correlation));
  }

  /** The data that is shown to the candidates. */
  public WaitFor payload(Map<String, ? extends @Nullable Object> shown) {
    return changed(sketch.with("payload", shown));
  }

  public WaitFor payload(Expr shown) {
    return changed(sketch.with("payload", shown));
  }

  /** The time after which no answer is accepted, and it goes on with {@code Output.expired}. */
  public WaitFor expires(Duration duration) {
    return changed(sketch.with("expires", duration));
  }

  public WaitFor expires(Expr duration) {
    return changed(sketch.with("expires", duration));
  }

  /** Its id; the next verb names the kind of its answer. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public WaitFor userAction() {
      return new WaitFor(sketch.with("for", "user-action"));
    }

    public WaitFor externalMessage() {
      return new WaitFor(sketch.with("for", "external-message"));
    }

    public WaitFor approval() {
      return new WaitFor(sketch.with("for", "approval"));
    }

    /** A partner's callback; its token is made of the run's id and the wait's key. */
    public WaitFor webhook() {
      return new WaitFor(sketch.with("for", "webhook"));
    }

    public WaitFor signal() {
      return new WaitFor(sketch.with("for", "signal"));
    }
  }
}
