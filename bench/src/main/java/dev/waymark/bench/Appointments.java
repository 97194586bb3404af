package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs that sleep until a given moment and then record how late they go on: from the moment until
 * the body behind the timer begins. A timer that fires before its moment is a fault.
 *
 * <p>The engine's time is the database's. A server on another machine whose clock is ahead of this
 * machine's looks as if it fired too early.
 */
final class Appointments {

  static final String KEY = "appointment";

  /** Its activity 'wake' is {@link #wake}. */
  static final String DEFINITION =
      """
      waymark: 1
      key: appointment
      start: sleep
      activities:
        sleep: { type: timer, with: { until: "${ Variables.at }" }, next: wake }
        wake: { type: wake }
      """;

  private static final Caller CALLER = Caller.of("bench");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Histogram lateness = new Histogram();
  private final Semaphore woken = new Semaphore(0);
  private final AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);

  /** The body that a timer leads to. */
  ActivityResult wake(ActivityContext context) {
    if (context.variable("counts", Boolean.class)) {
      Instant due = Instant.parse(context.variable("at", String.class));
      long late = Duration.between(due, Instant.now()).toNanos();
      lateness.add(late);
      earliest.accumulateAndGet(late, Math::min);
      woken.release();
    }
    return ActivityResult.completed();
  }

  /** Appointments that do not count: the compiler is not what is measured. */
  void practise(Engine engine, int count) {
    for (int i = 0; i < count; i++) {
      practise(engine);
    }
  }

  /** The same for some time. */
  void practise(Engine engine, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      practise(engine);
    }
  }

  private static void practise(Engine engine) {
    InstanceId id = engine.instances().start(request(Instant.now(), false), CALLER).orThrow();
    var unused = engine.instances().awaitEnd(id, PATIENCE, CALLER);
  }

  /** Starts runs that go on one after another, at even distances from a moment on. */
  void spread(Engine engine, Instant begin, int count, Duration over) {
    for (int i = 0; i < count; i++) {
      Instant due = begin.plus(over.multipliedBy(i).dividedBy(count));
      var unused = engine.instances().start(request(due, true), CALLER).orThrow();
    }
  }

  static StartRequest request(Instant at, boolean counts) {
    return StartRequest.of(KEY).input(Map.of("at", at.toString(), "counts", counts));
  }

  /** Returns when so many of those that were spread have gone on, none of them too early. */
  void await(int count, Duration atMost) throws InterruptedException {
    if (!woken.tryAcquire(count, atMost.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "Expected %d timers to fire, but %d did not"
              .formatted(count, count - woken.availablePermits()));
    }
    if (earliest.get() < 0) {
      throw new IllegalStateException(
          "Expected no timer to fire before its time, but one was %d ns early"
              .formatted(-earliest.get()));
    }
  }

  Histogram lateness() {
    return lateness;
  }
}
