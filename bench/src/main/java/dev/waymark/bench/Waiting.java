package dev.waymark.bench;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What waiting costs: start, resume and step among few waiting instances, and among a million.
 *
 * <p>The rounds alternate with nothing else, the small one first; a round is the median of its
 * latencies at concurrency 1, so that queues do not blur what a statement costs.
 */
final class Waiting implements Benchmark {

  private static final Caller CALLER = Caller.of("bench");
  private static final int FEW = 1_000;
  private static final int MANY = 1_000_000;
  private static final int ROUND = 2_000;
  private static final String FLOW =
      """
      waymark: 1
      key: waiting
      start: a
      activities:
        a: { type: work, next: ask }
        ask: { type: wait, next: b }
        b: { type: work }
      """;

  @Override
  public String name() {
    return "waiting";
  }

  @Override
  public String summary() {
    return "what start, resume and step cost beside a million waiting instances";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    int many = options.timesOr(MANY / 1_000) * 1_000;
    try (Database database = Database.open(options)) {
      Probe probe = new Probe(database.store());
      try (Engine engine =
          Engine.builder(probe.store())
              .activity("work", context -> ActivityResult.completed())
              .start()) {
        engine.definitions().deploy(FLOW, CALLER);
        out.printf("On %s%n", database.description());
        StoredRuns stored =
            new StoredRuns(database.store(), engine.node(), List.of(sample(engine, probe)));
        stored.fill(FEW);
        measure(engine, new Round());
        Round few = new Round();
        measure(engine, few);
        long heapBefore = heap();
        out.printf("Loading %,d waiting instances…%n", many);
        stored.fill(many - FEW);
        long heapAfter = heap();
        measure(engine, new Round());
        Round lots = new Round();
        measure(engine, lots);
        return report(options, out, many, few, lots, heapAfter - heapBefore);
      }
    }
  }

  /** Latencies of one round. */
  private static final class Round {
    final Histogram start = new Histogram();
    final Histogram resume = new Histogram();
    final Histogram whole = new Histogram();
  }

  /** The rows of an instance on its way to its wait, as the engine wrote them. */
  private static Template sample(Engine engine, Probe probe) throws InterruptedException {
    probe.keep(true);
    InstanceId id = engine.instances().start(StartRequest.of("waiting"), CALLER).orThrow();
    var unused = bookmark(engine, id);
    probe.keep(false);
    return Template.of(id, probe.kept());
  }

  private static BookmarkId bookmark(Engine engine, InstanceId id) throws InterruptedException {
    for (int i = 0; i < 10_000; i++) {
      Instance instance = engine.instances().find(id, CALLER).orElseThrow();
      if (!instance.bookmarks().isEmpty()) {
        return instance.bookmarks().firstKey();
      }
      Thread.sleep(Duration.ofMillis(1));
    }
    throw new IllegalStateException("Expected " + id + " to wait, but it does not");
  }

  private static void measure(Engine engine, Round round) throws InterruptedException {
    for (int i = 0; i < ROUND; i++) {
      long begun = System.nanoTime();
      InstanceId id = engine.instances().start(StartRequest.of("waiting"), CALLER).orThrow();
      long started = System.nanoTime();
      BookmarkId bookmark = bookmark(engine, id);
      long asked = System.nanoTime();
      engine.bookmarks().resume(bookmark, Map.of("ok", true), CALLER).orThrow();
      long resumed = System.nanoTime();
      var unused = engine.instances().awaitEnd(id, Duration.ofSeconds(30), CALLER);
      round.start.add(started - begun);
      round.resume.add(resumed - asked);
      round.whole.add(System.nanoTime() - asked);
    }
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private Figures report(
      Options options, PrintStream out, int many, Round few, Round lots, long heapGrowth) {
    out.printf("%n  %-28s%12s%14s%10s%n", "median, ms", "of " + FEW, "of " + many, "ratio");
    print(out, "start", few.start, lots.start);
    print(out, "resume", few.resume, lots.resume);
    print(out, "resume until the end", few.whole, lots.whole);
    double perInstance = Math.max(0, heapGrowth) / (double) many;
    out.printf("  %-28s%,12.1f bytes%n%n", "heap for each instance", perInstance);
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("instances", many)
        .put("start_ms", lots.start.millisAt(0.5))
        .put("start_ratio", lots.start.millisAt(0.5) / few.start.millisAt(0.5))
        .put("resume_ms", lots.resume.millisAt(0.5))
        .put("resume_ratio", lots.resume.millisAt(0.5) / few.resume.millisAt(0.5))
        .put("step_ratio", lots.whole.millisAt(0.5) / few.whole.millisAt(0.5))
        .put("heap_bytes_per_instance", perInstance);
  }

  private static void print(PrintStream out, String name, Histogram few, Histogram lots) {
    double before = few.millisAt(0.5);
    double after = lots.millisAt(0.5);
    out.printf("  %-28s%12.3f%14.3f%10.2f%n", name, before, after, after / before);
  }
}
