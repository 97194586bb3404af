package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * W3: ten thousand timers that are due at the same moment, and how long it takes until the last run
 * has gone on; and a hundred that are spread over twenty seconds, and how late each run goes on.
 *
 * <p>Beside the drain stands its limit: the same timers found, and the same rows written, without
 * the engine.
 */
final class W3 implements Benchmark {

  private static final Caller CALLER = Caller.of("bench");
  private static final int THOUSANDS = 10;
  private static final int SPREAD = 100;
  private static final int PRACTICE = 2_000;
  private static final Duration OVER = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Runs that are started at once, lest the engine refuse them. */
  private static final int TOGETHER = 5_000;

  private static final String NAP =
      """
      waymark: 1
      key: nap
      start: sleep
      activities:
        sleep: { type: timer, with: { until: "${ Variables.at }" } }
      """;

  private static final String APPOINTMENT =
      """
      waymark: 1
      key: appointment
      start: sleep
      activities:
        sleep: { type: timer, with: { until: "${ Variables.at }" }, next: wake }
        wake: { type: wake }
      """;

  @Override
  public String name() {
    return "w3";
  }

  @Override
  public String summary() {
    return "10,000 timers due at once, and how late 100 are that are spread over 20 s";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    int timers = options.timesOr(THOUSANDS) * 1_000;
    Histogram lateness = new Histogram();
    CountDownLatch woken = new CountDownLatch(SPREAD);
    try (Database database = Database.open(options)) {
      out.printf("W3 on %s, %,d timers%n", database.description(), timers);
      Probe probe = new Probe(database.store());
      Drained engineDrain;
      Template template;
      try (Engine engine =
          Engine.builder(probe.store())
              .activity(
                  "wake",
                  context -> {
                    if (context.variable("counts", Boolean.class)) {
                      Instant due = Instant.parse(context.variable("at", String.class));
                      lateness.add(Duration.between(due, Instant.now()).toNanos());
                      woken.countDown();
                    }
                    return ActivityResult.completed();
                  })
              .start()) {
        engine.definitions().deploy(NAP, CALLER);
        engine.definitions().deploy(APPOINTMENT, CALLER);
        template = sample(engine, probe);
        var unused = drain(engine, probe, timers, options.warmup());
        engineDrain = drain(engine, probe, timers, options.warmup());
        practise(engine);
        spread(engine);
        if (!woken.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          throw new IllegalStateException(
              "Expected %d timers to fire, but %d did not".formatted(SPREAD, woken.getCount()));
        }
      }
      W3Limit limit = new W3Limit(database.store(), template, engineDrain.batch());
      var unused = limit.drain(timers);
      double bare = limit.drain(timers);
      return report(options, out, timers, engineDrain, bare, lateness);
    }
  }

  /**
   * One drain.
   *
   * @param batch units in a commit, on average
   */
  private record Drained(double seconds, int batch) {}

  /** The rows of one run, as the engine wrote them. */
  private static Template sample(Engine engine, Probe probe) {
    probe.keep(true);
    InstanceId id = engine.instances().start(nap(Instant.now()), CALLER).orThrow();
    var unused = engine.instances().awaitEnd(id, PATIENCE, CALLER);
    probe.keep(false);
    return Template.of(id, probe.kept());
  }

  private static StartRequest nap(Instant at) {
    return StartRequest.of("nap").input(Map.of("at", at.toString()));
  }

  /**
   * All of them are waiting some time before they are due; else starting them would be measured.
   */
  private static Drained drain(Engine engine, Probe probe, int timers, Duration rest)
      throws InterruptedException {
    Instant due = Instant.now().plus(rest).plusMillis(1_000 + timers);
    for (int done = 0; done < timers; done += TOGETHER) {
      List<CompletableFuture<Answer>> started = new ArrayList<>();
      for (int i = done; i < Math.min(timers, done + TOGETHER); i++) {
        started.add(engine.instances().startAsync(nap(due), CALLER));
      }
      started.forEach(CompletableFuture::join);
    }
    if (Instant.now().isAfter(due.minusMillis(100))) {
      throw new IllegalStateException("Expected all timers to wait before they are due: too slow");
    }
    Commits before = probe.commits();
    Thread.sleep(Duration.between(Instant.now(), due));
    long begun = System.nanoTime();
    // Nothing else commits, and each timer is one unit.
    while (probe.commits().since(before).units() < timers) {
      if (System.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new IllegalStateException("Expected all timers to fire, but some did not");
      }
      Thread.sleep(1);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    return new Drained(
        seconds, (int) Math.max(1, Math.round(probe.commits().since(before).meanUnits())));
  }

  /** Appointments that do not count: the compiler is not what is measured. */
  private static void practise(Engine engine) {
    for (int i = 0; i < PRACTICE; i++) {
      InstanceId id = engine.instances().start(appointment(Instant.now(), false), CALLER).orThrow();
      var unused = engine.instances().awaitEnd(id, PATIENCE, CALLER);
    }
  }

  private static void spread(Engine engine) {
    Instant begin = Instant.now().plusMillis(500);
    for (int i = 0; i < SPREAD; i++) {
      Instant due = begin.plus(OVER.multipliedBy(i).dividedBy(SPREAD));
      var unused = engine.instances().start(appointment(due, true), CALLER).orThrow();
    }
  }

  private static StartRequest appointment(Instant at, boolean counts) {
    return StartRequest.of("appointment").input(Map.of("at", at.toString(), "counts", counts));
  }

  private Figures report(
      Options options,
      PrintStream out,
      int timers,
      Drained drained,
      double bare,
      Histogram lateness) {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    out.printf("%n  %-36s%10.3f s%n", "all due at once, until the last", drained.seconds());
    out.printf("  %-36s%10.3f s%n", "the same without the engine", bare);
    out.printf("  %-36s%10d%n", "units in a commit", drained.batch());
    out.printf("  %-36s%10.3f ms%n", "lateness, median", lateness.millisAt(0.5));
    out.printf("  %-36s%10.3f ms%n", "lateness, 99 %", lateness.millisAt(0.99));
    out.printf("  %-36s%10.2f%n%n", "load of the machine", load);
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("timers", timers)
        .put("drain_s", drained.seconds())
        .put("limit_drain_s", bare)
        .put("ratio", bare / drained.seconds())
        .put("lateness_p50_ms", lateness.millisAt(0.5))
        .put("lateness_p99_ms", lateness.millisAt(0.99))
        .put("load", load);
  }
}
