package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Unit;

/** Is told of all rows that a caller's transaction writes; they exist only if it commits. */
public interface JoinedWrites {

  void unit(Unit unit);

  void message(Message message);
}
