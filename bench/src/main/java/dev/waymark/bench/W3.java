package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * W3: ten thousand timers that are due at the same moment, and how long it takes until the last run
 * has gone on; and a hundred that are spread over twenty seconds, and how late each run goes on.
 *
 * <p>Beside the drain stands its limit: the same timers found, and the same rows written, without
 * the engine. There are no clients: timers fire by themselves.
 */
final class W3 implements Benchmark {

  private static final Caller CALLER = Caller.of("bench");
  private static final int THOUSANDS = 10;
  private static final int SPREAD = 100;
  private static final int PRACTICE = 2_000;
  private static final Duration OVER = Duration.ofSeconds(20);

  /** Time enough to start all that are spread before the first of them is due. */
  private static final Duration LEAD = Duration.ofMillis(500);

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

  /** The same; the step that the timer leads to sets a number, and so writes the document again. */
  private static final String NAP_WITH_DOCUMENT =
      """
      waymark: 1
      key: nap
      start: sleep
      activities:
        sleep: { type: timer, with: { until: "${ Variables.at }" }, output: { woken: 17 } }
      """;

  /** A run is started, and goes on when its timer fires. */
  private static final int STEPS = 2;

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
    RunRequests requests = new RunRequests(options);
    Appointments appointments = new Appointments();
    try (Database database = Database.open(options)) {
      out.printf("W3 on %s, %,d timers%s%n", database.description(), timers, options.variation());
      Probe probe = new Probe(database.store());
      Drained engineDrain;
      Template template;
      LogBytes log;
      try (Engine engine =
          Engine.builder(probe.store()).activity("wake", appointments::wake).start()) {
        engine.definitions().deploy(options.payload() == 0 ? NAP : NAP_WITH_DOCUMENT, CALLER);
        engine.definitions().deploy(Appointments.DEFINITION, CALLER);
        template = sample(engine, probe, requests);
        Drain drain = new Drain(engine, probe, requests, options.warmup());
        var unused = drain.of(timers);
        Usage before = database.usage();
        engineDrain = drain.of(timers);
        log = LogBytes.between(before, database.usage(), timers, STEPS);
        appointments.practise(engine, PRACTICE);
        appointments.spread(engine, Instant.now().plus(LEAD), SPREAD, OVER);
        appointments.await(SPREAD, PATIENCE);
      }
      W3Limit limit = new W3Limit(database.store(), template, engineDrain.batch());
      var unused = limit.drain(timers);
      double bare = limit.drain(timers);
      Figures figures = report(options, out, timers, engineDrain, bare, appointments.lateness());
      log.print(out);
      out.println();
      return log.addTo(figures);
    }
  }

  /**
   * One drain.
   *
   * @param batch units in a commit, on average
   */
  private record Drained(double seconds, int batch) {}

  /** The rows of one run, as the engine wrote them. */
  private static Template sample(Engine engine, Probe probe, RunRequests requests) {
    probe.keep(true);
    InstanceId id = engine.instances().start(nap(requests, Instant.now()), CALLER).orThrow();
    var unused = engine.instances().awaitEnd(id, PATIENCE, CALLER);
    probe.keep(false);
    return Template.of(id, probe.kept());
  }

  private static StartRequest nap(RunRequests requests, Instant at) {
    return requests.next("nap", Map.of("at", at.toString()));
  }

  /**
   * Fires timers that are all due at once.
   *
   * @param rest between the last start and the moment when they are due
   */
  private record Drain(Engine engine, Probe probe, RunRequests requests, Duration rest) {

    /**
     * All of them are waiting some time before they are due; else starting them would be measured.
     */
    Drained of(int timers) throws InterruptedException {
      Instant due = Instant.now().plus(rest).plusSeconds(1).plus(requests.timeToStart(timers));
      int together = requests.atOnce(TOGETHER);
      for (int done = 0; done < timers; done += together) {
        List<CompletableFuture<Answer>> started = new ArrayList<>();
        for (int i = done; i < Math.min(timers, done + together); i++) {
          started.add(engine.instances().startAsync(nap(requests, due), CALLER));
        }
        started.forEach(CompletableFuture::join);
      }
      if (Instant.now().isAfter(due.minusMillis(100))) {
        throw new IllegalStateException(
            "Expected all timers to wait before they are due: too slow");
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
    out.printf("  %-36s%10.2f%n", "load of the machine", load);
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("keys", options.keys())
        .put("payload_kb", options.payload())
        .put("timers", timers)
        .put("drain_s", drained.seconds())
        .put("limit_drain_s", bare)
        .put("ratio", bare / drained.seconds())
        .put("lateness_p50_ms", lateness.millisAt(0.5))
        .put("lateness_p99_ms", lateness.millisAt(0.99))
        .put("load", load);
  }
}
