package dev.waymark.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Lanes that work on one queue: a further one joins in only for a crowd. Used under the lock of the
 * queue.
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

  private final Deque<Scheduler.Lane> idle = new ArrayDeque<>();
  private final int all;

  /**
   * @param name what they do, in one word
   */
  Hands(Scheduler scheduler, String name, int all) {
    this.all = all;
    for (int i = 1; i <= all; i++) {
      idle.add(scheduler.lane(name + "-" + i));
    }
  }

  /**
   * One more to work on the queue; absent if those at work are enough.
   *
   * @param queued how many wait
   */
  Scheduler.@Nullable Lane take(int queued) {
    int busy = all - idle.size();
    return queued > busy * CROWD ? idle.poll() : null;
  }

  /** It found the queue empty. */
  void leave(Scheduler.Lane lane) {
    idle.add(lane);
  }
}
