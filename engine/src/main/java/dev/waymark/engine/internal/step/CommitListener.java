package dev.waymark.engine.internal.step;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Unit;

/**
 * A part of the engine that acts on what this process has committed. {@code Assembly} lists all of
 * them in one place.
 *
 * <p>A sweep of the database finds all the work of a listener, too, so a crash before or while it
 * is told loses nothing. A listener is called on the thread that was told of the commit and must
 * not wait.
 */
public interface CommitListener {

  /** A unit of steps of one instance is committed. */
  default void committed(Unit unit) {}

  /** A committed step has opened this wait, or changed it while it is open. */
  default void opened(Bookmark wait) {}

  /** A message is committed that a caller stored in a transaction of its own. */
  default void stored(Message message) {}

  /** A caller's transaction has written these steps; only the caller knows when it commits. */
  default void joined(Unit unit) {}

  /** A caller's transaction has written this message; only the caller knows when it commits. */
  default void joined(Message message) {}

  /** A commit's outcome is unknown: steps may be committed of which this process is never told. */
  default void missed() {}
}
