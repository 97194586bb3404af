package dev.waymark.engine.internal.body;

import dev.waymark.engine.spi.Scheduler;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The turn of the bodies that saw several crashes: one of them runs at a time, so that the next
 * crash tells which one is the cause.
 */
final class SuspectTurn {

  private final Scheduler scheduler;
  private final Runnable turnFree;
  private final AtomicReference<@Nullable RunningBody> holder = new AtomicReference<>();

  /**
   * @param turnFree run when the body that has the turn has left: another may be taken
   */
  SuspectTurn(Scheduler scheduler, Runnable turnFree) {
    this.scheduler = scheduler;
    this.turnFree = turnFree;
  }

  /** True if the turn was free; the body has it then. */
  boolean take(RunningBody body) {
    return holder.compareAndSet(null, body);
  }

  /**
   * Ends the turn of this body, if it has it. A body that is stopped calls this too: a thread that
   * hangs must not keep the others waiting.
   */
  void leave(RunningBody body) {
    if (holder.compareAndSet(body, null)) {
      scheduler.execute(turnFree);
    }
  }

  boolean isFree() {
    return holder.get() == null;
  }
}
