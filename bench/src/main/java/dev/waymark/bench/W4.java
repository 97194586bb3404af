package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * W4: ten thousand runs wait, each for a message with its own correlation key, and eight threads
 * (or as many as there are clients) send them, one after another. Measured from the first message
 * until the last run has gone on.
 *
 * <p>Beside it stands its limit: the same messages stored and the same rows written without the
 * engine.
 */
final class W4 implements Benchmark {

  private static final Caller CALLER = Caller.of("bench");
  private static final int THOUSANDS = 10;
  private static final int THREADS = 8;
  private static final int ROUNDS = 6;

  /** A run is started, and goes on with its message. */
  private static final int STEPS = 2;

  /** Runs that are started at once. */
  private static final int TOGETHER = 1_000;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String NAME = "paid";
  private static final String SOURCE = "bench";

  private static final String WAITER =
      """
      waymark: 1
      key: waiter
      start: paid
      activities:
        paid:
          type: wait
          with: { for: external-message, key: paid, correlate: "${ Variables.order }" }
      """;

  @Override
  public String name() {
    return "w4";
  }

  @Override
  public String summary() {
    return "10,000 runs that wait for a message, found by key from 8 threads";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    int runs = options.timesOr(THOUSANDS) * 1_000;
    int threads = options.clientsOr(THREADS);
    RunRequests requests = new RunRequests(options);
    try (Database database = Database.open(options)) {
      out.printf(
          "W4 on %s, %,d runs, %d threads%s%n",
          database.description(), runs, threads, options.variation());
      Probe probe = new Probe(database.store());
      Template template;
      Round last = new Round(0, 1);
      Usage before = Usage.NONE;
      LogBytes log;
      try (Engine engine = Engine.builder(probe.store()).start()) {
        engine.definitions().deploy(WAITER, CALLER);
        template = sample(engine, probe, requests);
        Rounds rounds = new Rounds(engine, probe, requests, threads);
        // The first rounds warm everything up; the last one counts.
        for (int round = 0; round < ROUNDS; round++) {
          before = database.usage();
          last = rounds.run(runs, round);
        }
        log = LogBytes.between(before, database.usage(), runs, STEPS);
      }
      W4Limit limit = new W4Limit(database.store(), template, last.batch(), threads);
      var unused = limit.rate(runs);
      Figures figures = report(options, out, runs, last, limit.rate(runs));
      log.print(out);
      out.println();
      return log.addTo(figures);
    }
  }

  /**
   * One round.
   *
   * @param rate correlations a second
   * @param batch units in a commit, on average
   */
  private record Round(double rate, int batch) {}

  private static Template sample(Engine engine, Probe probe, RunRequests requests) {
    probe.keep(true);
    InstanceId id = engine.instances().start(waiter(requests, "sample"), CALLER).orThrow();
    send(engine, "sample");
    var unused = engine.instances().awaitEnd(id, PATIENCE, CALLER);
    probe.keep(false);
    return Template.of(id, probe.kept());
  }

  private static StartRequest waiter(RunRequests requests, String order) {
    return requests.next("waiter", Map.of("order", order));
  }

  private static void send(Engine engine, String order) {
    Correlated message = Correlated.of(NAME, order, Map.of("amount", 10), SOURCE, order);
    if (!engine.messages().correlate(message, CALLER)) {
      throw new IllegalStateException("Expected a fresh message, but got a duplicate");
    }
  }

  /** Rounds on one engine, with so many threads that send. */
  private record Rounds(Engine engine, Probe probe, RunRequests requests, int threads) {

    Round run(int runs, int round) throws InterruptedException {
      int together = requests.atOnce(TOGETHER);
      for (int done = 0; done < runs; done += together) {
        List<CompletableFuture<Answer>> started = new ArrayList<>();
        for (int i = done; i < Math.min(runs, done + together); i++) {
          started.add(engine.instances().startAsync(waiter(requests, round + "-" + i), CALLER));
        }
        started.forEach(CompletableFuture::join);
      }
      AtomicInteger next = new AtomicInteger();
      Crew crew = new Crew();
      for (int thread = 0; thread < threads; thread++) {
        crew.add(
            Thread.ofPlatform().daemon().name("sender-" + thread),
            () -> {
              for (int i = next.getAndIncrement(); i < runs; i = next.getAndIncrement()) {
                send(engine, round + "-" + i);
              }
            });
      }
      Commits before = probe.commits();
      long begun = System.nanoTime();
      crew.start();
      crew.join();
      // Nothing else commits, and each message is one unit.
      while (probe.commits().since(before).units() < runs) {
        if (System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw new IllegalStateException("Expected all runs to go on, but some did not");
        }
        Thread.sleep(1);
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      return new Round(
          runs / seconds, (int) Math.max(1, Math.round(probe.commits().since(before).meanUnits())));
    }
  }

  private Figures report(Options options, PrintStream out, int runs, Round round, double limit) {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    out.printf("%n  %-36s%,10.0f /s%n", "correlations", round.rate());
    out.printf("  %-36s%,10.0f /s%n", "the same without the engine", limit);
    out.printf("  %-36s%10d%n", "units in a commit", round.batch());
    out.printf("  %-36s%10.2f%n", "load of the machine", load);
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("concurrency", options.clientsOr(THREADS))
        .put("keys", options.keys())
        .put("payload_kb", options.payload())
        .put("runs", runs)
        .put("correlations_s", Double.valueOf(round.rate()))
        .put("limit_correlations_s", Double.valueOf(limit))
        .put("ratio", Double.valueOf(round.rate() / limit))
        .put("load", Double.valueOf(load));
  }
}
