package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts values into the variables. */
public final class SetVariables extends Onward<SetVariables> {

  SetVariables(Sketch sketch) {
    super(sketch);
  }

  @Override
  SetVariables changed(Sketch changed) {
    return new SetVariables(changed);
  }

  public SetVariables put(String variable, @Nullable Object value) {
    return changed(sketch.with(variable, value));
  }

  public SetVariables putAll(Map<String, ? extends @Nullable Object> variables) {
    SetVariables all = this;
    for (Map.Entry<String, ? extends @Nullable Object> entry : variables.entrySet()) {
      all = all.put(entry.getKey(), entry.getValue());
    }
    return all;
  }
}
