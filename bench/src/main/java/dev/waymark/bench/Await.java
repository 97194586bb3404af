package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.StartRequest;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What ten thousand callers that wait for the ends of as many runs ask of the database: rows that
 * it reads for them, and calls of the store. None of the runs ends.
 */
final class Await implements Benchmark {

  private static final Caller CALLER = Caller.of("bench");
  private static final int THOUSANDS = 10;
  private static final Duration FOR_EVER = Duration.ofDays(1);

  /** Runs that are started at once, lest the engine refuse them. */
  private static final int TOGETHER = 5_000;

  /**
   * After some seconds the store is asked about a run each 8 s. Only a multiple of that holds as
   * many questions whenever it begins.
   */
  private static final Duration ROUND = Duration.ofSeconds(8);

  private static final String FLOW =
      """
      waymark: 1
      key: endless
      start: ask
      activities:
        ask: { type: wait }
      """;

  @Override
  public String name() {
    return "await";
  }

  @Override
  public String summary() {
    return "what 10,000 callers in awaitEnd ask of the database (measured in rounds of 8 s)";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    int waiters = options.timesOr(THOUSANDS) * 1_000;
    Duration time = ROUND.multipliedBy(Math.ceilDiv(options.time().toSeconds(), ROUND.toSeconds()));
    try (Database database = Database.open(options)) {
      out.printf(
          "AWAIT on %s, %,d waiters, %d s%n", database.description(), waiters, time.toSeconds());
      Probe probe = new Probe(database.store());
      AtomicBoolean closing = new AtomicBoolean();
      Crew crew = new Crew();
      try (Engine engine = Engine.builder(probe.store()).start()) {
        engine.definitions().deploy(FLOW, CALLER);
        for (InstanceId run : start(engine, waiters)) {
          crew.add(Thread.ofVirtual(), () -> await(engine, run, closing));
        }
        crew.start();
        Thread.sleep(options.warmup());
        Counts before = Counts.of(database, probe);
        Thread.sleep(time);
        Counts counts = Counts.of(database, probe).since(before);
        if (crew.hasTrouble()) {
          crew.join();
        }
        closing.set(true);
        return report(options, out, waiters, counts.perSecond(time));
      } finally {
        crew.join();
      }
    }
  }

  private static List<InstanceId> start(Engine engine, int count) {
    List<InstanceId> runs = new ArrayList<>();
    for (int done = 0; done < count; done += TOGETHER) {
      List<CompletableFuture<Answer>> started =
          IntStream.range(done, Math.min(count, done + TOGETHER))
              .mapToObj(i -> engine.instances().startAsync(StartRequest.of("endless"), CALLER))
              .toList();
      started.forEach(answer -> runs.add(answer.join().orThrow()));
    }
    return runs;
  }

  /** Waits until the engine closes. */
  private static void await(Engine engine, InstanceId run, AtomicBoolean closing) {
    try {
      var ended = engine.instances().awaitEnd(run, FOR_EVER, CALLER);
      throw new IllegalStateException("Expected a run without an end, but got " + ended.status());
    } catch (EngineException e) {
      if (!closing.get()) {
        throw e;
      }
    }
  }

  /** What was asked of the database, since the beginning or in between. */
  private record Counts(@Nullable Reads reads, @Nullable Long transactions, long calls) {

    static Counts of(Database database, Probe probe) {
      return new Counts(
          database.reads(),
          database.transactions(),
          probe.calls().values().stream().mapToLong(Long::longValue).sum());
    }

    Counts since(Counts before) {
      return new Counts(
          reads == null || before.reads == null ? null : reads.since(before.reads),
          transactions == null || before.transactions == null
              ? null
              : Long.valueOf(transactions - before.transactions),
          calls - before.calls);
    }

    Rates perSecond(Duration time) {
      double seconds = time.toSeconds();
      return new Rates(
          reads == null ? null : Double.valueOf(reads.rows() / seconds),
          reads == null ? null : Double.valueOf(reads.entries() / seconds),
          transactions == null ? null : Double.valueOf(transactions / seconds),
          calls / seconds);
    }
  }

  private record Rates(
      @Nullable Double rows,
      @Nullable Double entries,
      @Nullable Double transactions,
      double calls) {}

  private Figures report(Options options, PrintStream out, int waiters, Rates rates) {
    out.println();
    row(out, "rows of tables read", rates.rows());
    row(out, "entries of indexes read", rates.entries());
    row(out, "transactions", rates.transactions());
    row(out, "calls of the store", rates.calls());
    out.println();
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("waiters", waiters)
        .put("rows_s", rates.rows())
        .put("index_entries_s", rates.entries())
        .put("transactions_s", rates.transactions())
        .put("calls_s", Double.valueOf(rates.calls()));
  }

  private static void row(PrintStream out, String name, @Nullable Double rate) {
    if (rate != null) {
      out.printf("  %-28s%,14.2f /s%n", name, rate);
    }
  }
}
