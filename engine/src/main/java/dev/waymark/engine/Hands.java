package dev.waymark.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that work on one queue. Another one joins in only for a crowd.
 *
 * <p>Lanes and not tasks, because they talk to the database all the time: a platform thread is
 * woken by the answer itself, a virtual one by a poller that was woken first.
 */
final class Hands {

  /**
   * So many must wait for each lane that is at work before another one joins in. A statement for a
   * few costs the database hardly less than one for twice as many: of tasks that eight callers
   * complete, one committer wrote 2,850 a second and two 2,350.
   */
  private static final int CROWD = 16;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Deque<Scheduler.Lane> idle = new ArrayDeque<>();
  private final Scheduler scheduler;
  private final int all;

  /**
   * @param name what they do, in one word
   */
  Hands(Scheduler scheduler, String name, int all) {
    this.scheduler = scheduler;
    this.all = all;
    for (int i = 1; i <= all; i++) {
      idle.add(scheduler.lane(name + "-" + i));
    }
  }

  /**
   * One more to work on the queue; absent if those at work are enough. Called under the lock of the
   * queue.
   *
   * @param queued how many wait
   */
  Scheduler.@Nullable Lane take(int queued) {
    int busy = all - idle.size();
    return queued > busy * CROWD ? idle.poll() : null;
  }

  /**
   * Lets a lane work until it finds the queue empty. It is given back whatever happens: a batch
   * that ends in a fault of ours, or in an {@code OutOfMemoryError}, costs a pause and not the
   * lane.
   *
   * @param lock what guards the queue
   * @param take the next batch; called under the lock
   * @param handle does the batch, and sees to it that each who waits hears of its end
   */
  <T> void work(
      Scheduler.Lane lane, Object lock, Supplier<List<T>> take, Consumer<List<T>> handle) {
    lane.execute(() -> run(lane, lock, take, handle));
  }

  private <T> void run(
      Scheduler.Lane lane, Object lock, Supplier<List<T>> take, Consumer<List<T>> handle) {
    try {
      while (true) {
        List<T> batch;
        synchronized (lock) {
          batch = take.get();
          if (batch.isEmpty()) {
            idle.add(lane);
            return;
          }
        }
        handle.accept(batch);
      }
    } catch (RuntimeException | Error e) {
      // Still this lane's turn, so that no other one is taken in its place meanwhile.
      scheduler.after(PAUSE, () -> work(lane, lock, take, handle));
      throw e;
    }
  }
}
