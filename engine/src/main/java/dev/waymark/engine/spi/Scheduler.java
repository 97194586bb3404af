package dev.waymark.engine.spi;

import dev.waymark.engine.DeadlinePassed;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Runs all tasks of an engine. Engine code never blocks by itself and has no thread of its own:
 * mailboxes, committers, workers and bodies are tasks given to this, so that a simulation can run
 * several engines on one thread and one seed.
 */
public interface Scheduler extends AutoCloseable {

  /** Runs a task of the engine soon, beside others. It may call the store, and no user code. */
  void execute(Runnable task);

  /**
   * Runs a task of the engine on a thread that user code cannot keep from running: at once if the
   * caller's is one, else soon. For what takes locks of the engine and comes from user code.
   */
  default void enter(Runnable task) {
    task.run();
  }

  /** Runs code of the application soon. It may take as long as it likes. */
  default void executeUserCode(Runnable task) {
    execute(task);
  }

  /**
   * The same for code whose pace is measured: code that has been quick may run on the calling
   * thread, before this returns.
   */
  default void executeUserCode(Runnable task, Pace pace) {
    executeUserCode(task);
  }

  /** Runs a task after a while. */
  Pending after(Duration delay, Runnable task);

  /** A place where tasks run one after another, on a thread that suits long native calls. */
  Lane lane(String name);

  /**
   * Waits for what tasks will complete. For callers from outside only: no task may call it.
   *
   * @throws DeadlinePassed if it is not there in time; the work itself goes on
   */
  <T> T await(CompletableFuture<T> future, Duration atMost);

  @Override
  void close();

  /** A task that has not begun yet. */
  interface Pending {
    void cancel();
  }

  /** See {@link Scheduler#lane}. */
  interface Lane {
    void execute(Runnable task);
  }
}
