package dev.waymark.testkit;

import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Everything on one thread, in an order that one number decides. Time moves only when told.
 *
 * <p>Tasks run when they are pumped: by {@link #runUntilIdle}, by {@link #advance}, or while a
 * caller awaits an answer. With a seed the next task is drawn from those that are ready, so that
 * every seed is another interleaving; without one they run in the order they came.
 */
public final class PumpScheduler implements Scheduler {

  private static final int MAX_TASKS = 10_000_000;

  private final VirtualClock clock;
  private @Nullable Random order;
  private final List<Runnable> ready = new ArrayList<>();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private @Nullable KillSwitch death;
  private long sequence;
  private int head;
  private @Nullable Thread owner;

  private record Timer(Instant due, long sequence, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int byDue = due.compareTo(other.due);
      return byDue != 0 ? byDue : Long.compare(sequence, other.sequence);
    }
  }

  public PumpScheduler(VirtualClock clock) {
    this.clock = clock;
    this.order = null;
  }

  public PumpScheduler(VirtualClock clock, long seed) {
    this.clock = clock;
    this.order = new Random(seed);
  }

  /** Runs nothing any more once the engine was killed: the caller of the pump gets an exception. */
  public PumpScheduler diesWith(KillSwitch killSwitch) {
    death = killSwitch;
    return this;
  }

  private void checkAlive() {
    if (death != null && death.isDead()) {
      throw new KillSwitch.Killed();
    }
  }

  /** From now on the given seed decides the order. */
  public synchronized void reorder(long seed) {
    order = new Random(seed);
  }

  @Override
  public synchronized void execute(Runnable task) {
    ready.add(task);
  }

  @Override
  public synchronized Pending after(Duration delay, Runnable task) {
    Timer timer = new Timer(clock.instant().plus(delay), sequence++, task);
    timers.add(timer);
    return () -> {
      synchronized (this) {
        timers.remove(timer);
      }
    };
  }

  @Override
  public Lane lane(String name) {
    return this::execute;
  }

  @Override
  public <T> T await(CompletableFuture<T> future, Duration atMost) {
    while (!future.isDone()) {
      if (!runOne()) {
        throw new DeadlinePassed(
            "Expected an answer, but nothing is left to run and time stands still", null);
      }
    }
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof EngineException ours
          ? ours
          : new EngineException(String.valueOf(e.getMessage()), e.getCause());
    }
  }

  /** Runs one task; false if none is ready. Due timers become ready first. */
  public boolean runOne() {
    checkAlive();
    boolean outermost = enter();
    try {
      return runNext();
    } finally {
      if (outermost) {
        leave();
      }
    }
  }

  /** A task may pump again, on its own thread. Another thread would take what this one awaits. */
  private synchronized boolean enter() {
    Thread caller = Thread.currentThread();
    if (owner != null && !owner.equals(caller)) {
      throw new IllegalStateException(
          "Expected one thread at a time, but this kit belongs to thread '%s' now and '%s' calls it: do tests that run side by side share it?"
              .formatted(owner.getName(), caller.getName()));
    }
    boolean outermost = owner == null;
    owner = caller;
    return outermost;
  }

  private synchronized void leave() {
    owner = null;
  }

  private boolean runNext() {
    Runnable task;
    synchronized (this) {
      while (!timers.isEmpty() && !timers.element().due().isAfter(clock.instant())) {
        ready.add(timers.remove().task());
      }
      task = take();
    }
    if (task == null) {
      return false;
    }
    task.run();
    checkAlive();
    return true;
  }

  private @Nullable Runnable take() {
    if (head == ready.size()) {
      ready.clear();
      head = 0;
      return null;
    }
    if (order != null) {
      int pick = head + order.nextInt(ready.size() - head);
      Runnable picked = ready.get(pick);
      ready.set(pick, ready.get(head));
      ready.set(head, picked);
    }
    Runnable task = ready.get(head++);
    if (head > 1_000 && head * 2 > ready.size()) {
      ready.subList(0, head).clear();
      head = 0;
    }
    return task;
  }

  /** Runs all tasks that can run without time moving. */
  public void runUntilIdle() {
    for (int i = 0; i < MAX_TASKS; i++) {
      if (!runOne()) {
        return;
      }
    }
    throw new IllegalStateException("Expected to come to rest, but ran " + MAX_TASKS + " tasks");
  }

  /** Moves time, stopping at every moment at which something is to be done. */
  public void advance(Duration by) {
    runUntilIdle();
    Instant target = clock.instant().plus(by);
    while (true) {
      Instant next;
      synchronized (this) {
        next = timers.isEmpty() ? null : timers.element().due();
      }
      if (next == null || next.isAfter(target)) {
        break;
      }
      clock.set(next);
      runUntilIdle();
    }
    clock.set(target);
    runUntilIdle();
  }

  @Override
  public void close() {}
}
