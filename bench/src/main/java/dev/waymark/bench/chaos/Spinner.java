package dev.waymark.bench.chaos;

import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A node whose bodies compute on every core for a while, and a client of it that starts small runs
 * meanwhile and measures how long each answer takes.
 */
public final class Spinner {

  static final String SPIN =
      """
      waymark: 1
      key: spin
      start: spin
      activities:
        spin: { type: spin, timeout: PT10M }
      """;

  static final String SMALL =
      """
      waymark: 1
      key: small
      start: ask
      activities:
        ask: { type: wait }
      """;

  static final Caller CALLER = Caller.of("spinner");

  private static final Duration BETWEEN_STARTS = Duration.ofMillis(50);

  private Spinner() {}

  /** Arguments: the database's address, the node's name, how many seconds. */
  public static void main(String[] args) {
    Store store = Victim.open("postgres", args[0]);
    Duration time = Duration.ofSeconds(Integer.parseInt(args[2]));
    AtomicInteger again = new AtomicInteger();
    try (Engine engine =
        Engine.builder(store)
            .name(args[1])
            .activity(
                "spin",
                context -> {
                  if (context.attempt() > 1) {
                    again.incrementAndGet();
                  }
                  spin(time);
                  return ActivityResult.completed(Map.of());
                })
            .start()) {
      engine.definitions().deploy(SPIN, CALLER);
      engine.definitions().deploy(SMALL, CALLER);
      System.out.println("READY");
      String node = String.valueOf(engine.node());
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        engine.instances().start(StartRequest.of("spin"), CALLER).orThrow();
      }
      List<Long> waits = measure(engine, time);
      boolean same = node.equals(String.valueOf(engine.node()));
      System.out.println(
          String.format(
              Locale.ROOT,
              "%d %.1f %.1f %.1f %s %d",
              waits.size(),
              at(waits, 0.5),
              at(waits, 0.99),
              at(waits, 1),
              same,
              again.get()));
    }
    System.exit(0);
  }

  private static void spin(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private static List<Long> measure(Engine engine, Duration time) {
    List<Long> waits = new ArrayList<>();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      long asked = System.nanoTime();
      engine.instances().start(StartRequest.of("small"), CALLER).orThrow();
      waits.add(System.nanoTime() - asked);
      LockSupport.parkNanos(BETWEEN_STARTS.toNanos());
    }
    Collections.sort(waits);
    return waits;
  }

  /** In milliseconds. */
  private static double at(List<Long> sorted, double part) {
    int index = (int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size()));
    return sorted.get(index) / 1e6;
  }
}
