package dev.waymark.engine.internal.node;

import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets one run of a task be under way at a time. A request that comes during a run is not lost: one
 * more run follows, however many have asked for it.
 *
 * <p>A run has ended when its owner says so, which may be long after the task has returned: the
 * task may wait for a page of commands, and go on in parts. A part that ends in a fault of ours
 * ends nothing for good: the run begins again after a pause. It has no lock, so an owner may ask
 * under its own.
 */
public final class RunAgain {

  /** The pause before a run that ended in a fault of ours begins again. */
  static final Duration PAUSE = Duration.ofMillis(500);

  private enum Phase {
    IDLE,
    RUNNING,
    /** Running, and asked for once more. */
    ASKED
  }

  private final Scheduler scheduler;
  private final Runnable task;
  private final AtomicReference<Phase> state = new AtomicReference<>(Phase.IDLE);

  public RunAgain(Scheduler scheduler, Runnable task) {
    this.scheduler = scheduler;
    this.task = task;
  }

  /**
   * Asks for a run, which the scheduler begins soon.
   *
   * @return false if one is under way: another follows it
   */
  public boolean ask() {
    boolean begun = begin();
    if (begun) {
      runSoon();
    }
    return begun;
  }

  /**
   * Asks for a run that the caller begins by {@link #run}.
   *
   * @return false if one is under way: another follows it
   */
  public boolean begin() {
    return state.getAndUpdate(now -> now == Phase.IDLE ? Phase.RUNNING : Phase.ASKED) == Phase.IDLE;
  }

  /** Asks for a run after the one that is under way; false if none is. */
  public boolean follow() {
    return state.getAndUpdate(now -> now == Phase.IDLE ? Phase.IDLE : Phase.ASKED) != Phase.IDLE;
  }

  /** Does the task on this thread, as the beginning of a run or as another part of it. */
  public void run() {
    part(task);
  }

  /** The same soon, on a thread of the scheduler's. */
  public void runSoon() {
    try {
      scheduler.execute(this::run);
    } catch (RuntimeException | Error e) {
      stop();
      throw e;
    }
  }

  /** Does something else as a part of the run that is under way. */
  public void part(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      beginAgain(e);
      throw e;
    }
  }

  private void beginAgain(Throwable fault) {
    try {
      scheduler.after(PAUSE, this::run);
    } catch (RuntimeException | Error e) {
      stop();
      fault.addSuppressed(e);
    }
  }

  /**
   * The run under way has ended.
   *
   * @return true if one was asked for meanwhile: it counts as under way, and the caller begins it
   */
  public boolean ended() {
    return state.getAndUpdate(now -> now == Phase.ASKED ? Phase.RUNNING : Phase.IDLE)
        == Phase.ASKED;
  }

  /** The run under way has ended, and no other follows it. */
  public void stop() {
    state.set(Phase.IDLE);
  }
}
