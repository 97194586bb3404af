package dev.waymark.engine.internal.node;

import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose entries are handled in batches by a fixed set of lanes. A lane takes the queued
 * entries, without waiting for more; while one lane is at work, another one starts only if more
 * than 16 entries wait for each busy lane, or if the busy lane makes no progress.
 *
 * <p>Lanes and not tasks, because they talk to the database all the time: a platform thread is
 * woken by the answer itself, a virtual one by a poller that was woken first.
 */
public final class BatchQueue<T> {

  /**
   * So many must wait for each lane that is at work before another one joins in. A statement for a
   * few costs the database hardly less than one for twice as many: of tasks that eight callers
   * complete, one committer wrote 2,850 a second and two 2,350.
   */
  private static final int CROWD = 16;

  /** The pause of a lane after a fault of ours. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /**
   * A lane that is with the same batch at two looks in a row is stuck: its connection has fallen
   * silent, or the database takes its time. It no longer counts as one at work.
   */
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Scheduler scheduler;
  private final Function<Deque<T>, List<T>> take;
  private final Consumer<List<T>> handle;
  private final Deque<T> queue = new ArrayDeque<>();
  private final List<LaneWorker> workers = new ArrayList<>();
  private final Deque<LaneWorker> idle = new ArrayDeque<>();
  private int stuck;
  private boolean looking;

  /** One lane. Its fields are guarded by the queue. */
  private static final class LaneWorker {
    final Scheduler.Lane lane;
    boolean busy;
    boolean moved;
    boolean stuck;

    LaneWorker(Scheduler.Lane lane) {
      this.lane = lane;
    }
  }

  /**
   * A queue without entries.
   *
   * @param name the work of its lanes, in one word
   * @param take removes the next batch from the queue; called under its lock
   * @param handle does the batch, and sees to it that the caller of each entry hears of its end
   */
  public BatchQueue(
      Scheduler scheduler,
      String name,
      int lanes,
      Function<Deque<T>, List<T>> take,
      Consumer<List<T>> handle) {
    this.scheduler = scheduler;
    this.take = take;
    this.handle = handle;
    for (int i = 1; i <= lanes; i++) {
      workers.add(new LaneWorker(scheduler.lane(name + "-" + i)));
    }
    idle.addAll(workers);
  }

  public void add(T entry) {
    LaneWorker joining;
    synchronized (queue) {
      queue.add(entry);
      joining = joining();
    }
    start(joining);
  }

  public void addAll(List<T> entries) {
    LaneWorker joining;
    synchronized (queue) {
      queue.addAll(entries);
      joining = joining();
    }
    start(joining);
  }

  /** The same before all that wait, in this order. */
  public void addFirst(List<T> entries) {
    LaneWorker joining;
    synchronized (queue) {
      entries.reversed().forEach(queue::addFirst);
      joining = joining();
    }
    start(joining);
  }

  public int size() {
    synchronized (queue) {
      return queue.size();
    }
  }

  /** One more lane to work on the queue; absent if those at work are enough. */
  private @Nullable LaneWorker joining() {
    int working = workers.size() - idle.size() - stuck;
    if (queue.size() > working * CROWD) {
      LaneWorker worker = idle.poll();
      if (worker != null) {
        worker.busy = true;
        worker.moved = true;
        return worker;
      }
    } else if (!idle.isEmpty() && !looking) {
      looking = true;
      var unused = scheduler.after(LOOK, this::look);
    }
    return null;
  }

  private void look() {
    LaneWorker joining;
    synchronized (queue) {
      looking = false;
      if (queue.isEmpty()) {
        return;
      }
      for (LaneWorker worker : workers) {
        if (worker.busy && !worker.moved && !worker.stuck) {
          worker.stuck = true;
          stuck++;
        }
        worker.moved = false;
      }
      joining = joining();
    }
    start(joining);
  }

  private void start(@Nullable LaneWorker worker) {
    if (worker != null) {
      worker.lane.execute(() -> run(worker));
    }
  }

  /**
   * Works until the queue is empty. The lane is given back whatever happens: a batch that ends in a
   * fault of ours, or in an {@code OutOfMemoryError}, costs a pause and not the lane.
   */
  private void run(LaneWorker worker) {
    try {
      while (true) {
        List<T> batch;
        synchronized (queue) {
          batch = next(worker);
        }
        if (batch.isEmpty()) {
          return;
        }
        handle.accept(batch);
      }
    } catch (RuntimeException | Error e) {
      // Still this lane's turn, so that no other one is taken in its place meanwhile.
      scheduler.after(PAUSE, () -> start(worker));
      throw e;
    }
  }

  private List<T> next(LaneWorker worker) {
    if (worker.stuck) {
      worker.stuck = false;
      stuck--;
    }
    List<T> batch = take.apply(queue);
    worker.moved = true;
    if (batch.isEmpty()) {
      worker.busy = false;
      idle.add(worker);
    }
    return batch;
  }
}
