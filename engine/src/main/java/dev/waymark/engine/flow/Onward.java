package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An activity that a run goes on from once it is completed. Without a way on, the branch ends. */
public abstract sealed class Onward<S extends Onward<S>> extends Vertex<S>
    permits Guarded,
        Block,
        SetVariables,
        Join,
        Timer,
        CronTimer,
        SubWorkflow,
        Signal,
        Send,
        Emit,
        Compensate {

  Onward(Sketch sketch) {
    super(sketch);
  }

  public final S next(String activity) {
    return changed(sketch.put("next", activity));
  }

  /** The first way whose condition holds is taken. */
  public final S next(Way first, Way... more) {
    return changed(sketch.put("next", Way.documents(first, more)));
  }

  /** Puts a value into a variable when the activity is completed; it may see {@code Output}. */
  public final S output(String variable, @Nullable Object value) {
    return changed(sketch.put("output", variable, value));
  }

  /** Exactly these variables; none keeps the result from merging into them. */
  public final S output(Map<String, ? extends @Nullable Object> variables) {
    return changed(sketch.put("output", variables));
  }

  /** The activity that undoes this one once it is completed. */
  public final S compensateWith(String handler) {
    return changed(sketch.put("compensate", handler));
  }
}
