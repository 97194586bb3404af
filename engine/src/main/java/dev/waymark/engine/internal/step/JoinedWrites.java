package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Unit;

/** Hears of everything that a caller's transaction writes, which is there if it commits. */
public interface JoinedWrites {

  void unit(Unit unit);

  void message(Message message);
}
