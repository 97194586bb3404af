package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.store.Store;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How late timers fire, one each 20 ms, beside a million others that are stored and far from due.
 * One that fires too early is a fault.
 */
final class Lateness implements Benchmark {

  private static final Caller CALLER = Caller.of("bench");
  private static final int THOUSANDS = 1_000;
  private static final Duration EVERY = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Time enough for one start, so that all wait before the first is due. */
  private static final Duration TO_START = Duration.ofMillis(10);

  /** Timers that are not due in this benchmark: on so many days from next year on. */
  private static final int DAYS = 100;

  private static final Duration FAR = Duration.ofDays(365);

  @Override
  public String name() {
    return "lateness";
  }

  @Override
  public String summary() {
    return "how late timers fire (never early), one each 20 ms, beside a million that are not due";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    int stored = options.timesOr(THOUSANDS) * 1_000;
    int timers = (int) Math.max(1, options.time().dividedBy(EVERY));
    Appointments appointments = new Appointments();
    try (Database database = Database.open(options)) {
      out.printf(
          "LATENESS on %s, %,d timers beside %,d stored ones%n",
          database.description(), timers, stored);
      Probe probe = new Probe(database.store());
      try (Engine engine =
          Engine.builder(probe.store()).activity("wake", appointments::wake).start()) {
        engine.definitions().deploy(Appointments.DEFINITION, CALLER);
        new StoredRuns(database.store(), engine.node(), samples(engine, probe)).fill(stored);
        analyze(database.store());
        appointments.practise(engine, options.warmup());
        fire(engine, appointments, timers);
      }
      return report(options, out, stored, timers, appointments.lateness());
    }
  }

  /** A run for each of the days, as the engine wrote it. */
  private static List<Template> samples(Engine engine, Probe probe) {
    Instant far = Instant.now().plus(FAR);
    List<Template> samples = new ArrayList<>();
    probe.keep(true);
    for (int day = 0; day < DAYS; day++) {
      Instant due = far.plus(Duration.ofDays(day));
      InstanceId id = engine.instances().start(Appointments.request(due, false), CALLER).orThrow();
      samples.add(Template.of(id, probe.kept()));
    }
    probe.keep(false);
    return samples;
  }

  /**
   * A server learns the size of a table a minute later, and plans as for an empty one until then.
   */
  private static void analyze(Store store) {
    store.inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute("analyze");
          }
        });
  }

  private static void fire(Engine engine, Appointments appointments, int timers)
      throws InterruptedException {
    // Milliseconds, so that no database rounds the moment.
    Instant begin =
        Instant.ofEpochMilli(
            Instant.now().plusSeconds(1).plus(TO_START.multipliedBy(timers)).toEpochMilli());
    Duration over = EVERY.multipliedBy(timers);
    appointments.spread(engine, begin, timers, over);
    if (Instant.now().isAfter(begin)) {
      throw new IllegalStateException(
          "Expected to start %d runs before the first is due: too slow".formatted(timers));
    }
    appointments.await(timers, over.plus(PATIENCE));
  }

  private Figures report(
      Options options, PrintStream out, int stored, int timers, Histogram lateness) {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    out.printf("%n  %-36s%10.3f ms%n", "lateness, median", lateness.millisAt(0.5));
    out.printf("  %-36s%10.3f ms%n", "lateness, 99 %", lateness.millisAt(0.99));
    out.printf("  %-36s%10.3f ms%n", "lateness, worst", lateness.millisAt(1));
    out.printf("  %-36s%10.2f%n%n", "load of the machine", load);
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("stored", stored)
        .put("timers", timers)
        .put("lateness_p50_ms", Double.valueOf(lateness.millisAt(0.5)))
        .put("lateness_p99_ms", Double.valueOf(lateness.millisAt(0.99)))
        .put("lateness_max_ms", Double.valueOf(lateness.millisAt(1)))
        .put("load", Double.valueOf(load));
  }
}
