package dev.waymark.engine.flow;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An activity whose work is code: of a type that the application registers, or a lambda. */
public final class Body extends Guarded<Body> {

  Body(Sketch sketch) {
    super(sketch);
  }

  @Override
  Body changed(Sketch changed) {
    return new Body(changed);
  }

  public Body with(String name, @Nullable Object value) {
    return changed(sketch.with(name, value));
  }

  public Body with(Map<String, ? extends @Nullable Object> input) {
    return changed(sketch.put("with", input));
  }

  public Body retry(Retry retry) {
    return changed(sketch.put("retry", retry.fields));
  }

  /** The time-out of one attempt. */
  public Body timeout(Duration atMost) {
    return changed(sketch.put("timeout", atMost));
  }

  /** The body is not run again by itself when its node died: an operator looks first. */
  public Body notRepeatable() {
    return changed(sketch.put("repeatable", false));
  }
}
