package dev.waymark.bench.chaos;

import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A node that runs many slow bodies at once, and is made to be killed. */
public final class Sleeper {

  static final String FLOW =
      """
      waymark: 1
      key: sleep
      start: sleep
      activities:
        sleep: { type: sleep }
      """;

  private static final Duration SLEEP = Duration.ofSeconds(2);

  private Sleeper() {}

  /** Arguments: the database's address, how many bodies. It is ready once all of them run. */
  public static void main(String[] args) throws InterruptedException {
    int bodies = Integer.parseInt(args[1]);
    CountDownLatch running = new CountDownLatch(bodies);
    Engine engine =
        Engine.builder(Victim.open("postgres", args[0]))
            .name("victim")
            .activity(
                "sleep",
                context -> {
                  running.countDown();
                  LockSupport.parkNanos(Duration.ofMinutes(5).toNanos());
                  return ActivityResult.completed(Map.of());
                })
            .start();
    for (int i = 0; i < bodies; i++) {
      var unused = engine.instances().startAsync(StartRequest.of("sleep"), Victim.LOAD);
    }
    running.await();
    System.out.println("READY");
    LockSupport.park();
  }

  /** The body as the survivor runs it. */
  static Activity body() {
    return context -> {
      LockSupport.parkNanos(SLEEP.toNanos());
      return ActivityResult.completed(Map.of());
    };
  }
}
