package dev.waymark.bench;

import dev.waymark.engine.Engine;
import java.io.PrintStream;
import java.time.Duration;

/**
 * What one run takes where there is nearly nothing else to do: one each 250 ms, so that every
 * thread, connection and cache has rested before it.
 */
final class Latency implements Benchmark {

  private static final Duration EVERY = Duration.ofMillis(250);
  private static final double MEDIAN = 0.5;
  private static final double WORST = 0.99;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String summary() {
    return "runs of W1 on an engine that is idle otherwise, one each 250 ms";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    try (Database database = Database.open(options)) {
      out.printf(
          "LATENCY on %s, one run each %d ms%s%n",
          database.description(), EVERY.toMillis(), options.variation());
      Meter meter = new Meter(database);
      // Its clients are never started: all runs are those that it runs beside them.
      try (EngineLoad load =
          new EngineLoad(Engine.builder(meter.probe().store()), W1.ACTIVITIES, options, meter)) {
        warmUp(load, options.warmup());
        meter.open();
        pace(load, (int) Math.max(1, options.time().dividedBy(EVERY)));
        meter.close();
      }
      return report(options, out, meter);
    }
  }

  /** One after another without a pause: the compiler is not what is measured. */
  private static void warmUp(EngineLoad load, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      var unused = load.runOne();
    }
  }

  private static void pace(EngineLoad load, int runs) throws InterruptedException {
    long begin = System.nanoTime();
    for (int i = 1; i <= runs; i++) {
      Thread.sleep(
          Duration.ofNanos(
              Math.max(0, begin + EVERY.multipliedBy(i).toNanos() - System.nanoTime())));
      var unused = load.runOne();
    }
  }

  private Figures report(Options options, PrintStream out, Meter meter) {
    out.printf("%n  %-36s%10d%n", "runs", meter.instances());
    out.printf("  %-36s%10.3f ms%n", "run, median", meter.runMillisAt(MEDIAN));
    out.printf("  %-36s%10.3f ms%n", "run, 99 %", meter.runMillisAt(WORST));
    out.printf("  %-36s%10.3f ms%n", "step, median", meter.millisAt(MEDIAN));
    out.printf("  %-36s%10.3f ms%n%n", "step, 99 %", meter.millisAt(WORST));
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("keys", options.keys())
        .put("payload_kb", options.payload())
        .put("runs", meter.instances())
        .put("run_p50_ms", Double.valueOf(meter.runMillisAt(MEDIAN)))
        .put("run_p99_ms", Double.valueOf(meter.runMillisAt(WORST)))
        .put("p50_ms", Double.valueOf(meter.millisAt(MEDIAN)))
        .put("p99_ms", Double.valueOf(meter.millisAt(WORST)));
  }
}
