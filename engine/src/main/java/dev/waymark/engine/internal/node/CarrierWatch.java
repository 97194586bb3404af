package dev.waymark.engine.internal.node;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when user code keeps all carriers of virtual threads busy, so that other user code waits
 * to begin. The engine itself goes on; the log tells an operator why bodies do not.
 */
final class CarrierWatch {

  static final Duration EVERY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(CarrierWatch.class);

  /** Looks in a row without a beginning, while something waits to begin, before it is told. */
  private static final int PATIENCE = 5;

  /** Looks between two warnings of the same trouble. */
  private static final int QUIET = 60;

  private final LongAdder submitted = new LongAdder();
  private final LongAdder begun = new LongAdder();
  private long begunAtLastLook;
  private int still;

  void submitted() {
    submitted.increment();
  }

  void begun() {
    begun.increment();
  }

  /** Called every second, by one thread. */
  void look() {
    long now = begun.sum();
    long waiting = submitted.sum() - now;
    still = waiting > 0 && now == begunAtLastLook ? still + 1 : 0;
    begunAtLastLook = now;
    if (still == PATIENCE || (still > PATIENCE && still % QUIET == 0)) {
      log.warn(
          "{} bodies or handlers have waited for {} s to begin, because others keep all {} carrier"
              + " threads busy. Code that computes for long belongs on threads of its own; or raise"
              + " -Djdk.virtualThreadScheduler.parallelism",
          waiting,
          still,
          Runtime.getRuntime().availableProcessors());
    }
  }
}
