package dev.waymark.bench;

import static java.util.Objects.requireNonNull;

import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * W1: instances of five automatic activities, six durable steps each, in a closed loop; and beside
 * it the limit, which writes the same rows without the engine. Both take turns within one run, so
 * that both see the same machine in the same mood.
 *
 * <p>W1e is the same with one subscriber in the process that gets every event; BODY is the same
 * with one activity, two durable steps: what a run costs that does a single thing; LONG has sixty.
 */
final class W1 implements Benchmark {

  /** Engine and limit take turns of about this long: shorter than most moods of a machine. */
  private static final Duration TURN = Duration.ofSeconds(2);

  /** What was warm before needs little to be warm again. */
  private static final Duration REWARM = Duration.ofMillis(500);

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Clients, unless the options say otherwise. */
  static final int CLIENTS = 200;

  /** Activities of an instance of W1. */
  static final int ACTIVITIES = 5;

  private final String name;
  private final String summary;
  private final int activities;
  private final boolean withEvents;

  private W1(String name, String summary, int activities, boolean withEvents) {
    this.name = name;
    this.summary = summary;
    this.activities = activities;
    this.withEvents = withEvents;
  }

  static W1 plain() {
    return new W1(
        "w1",
        "instances of 5 automatic activities (6 durable steps), and the limit beside it",
        ACTIVITIES,
        false);
  }

  static W1 withEvents() {
    return new W1(
        "w1e", "W1 with one subscriber in the process that gets every event", ACTIVITIES, true);
  }

  static W1 ofOneBody() {
    return new W1("body", "W1 with one activity in each instance (2 durable steps)", 1, false);
  }

  /** In longer runs the start weighs little: with a large document this is what a step costs. */
  static W1 ofManyBodies() {
    return new W1("long", "W1 with 60 activities in each instance (61 durable steps)", 60, false);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return summary;
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    try (Database database = Database.open(options)) {
      out.printf(
          "%s on %s, %,d clients%s, %d s after %d s of warm-up%n",
          name().toUpperCase(java.util.Locale.ROOT),
          database.description(),
          options.clientsOr(CLIENTS),
          options.variation(),
          options.time().toSeconds(),
          options.warmup().toSeconds());
      Run run = new Run(options, database);
      // Whether a backlog grows is seen in one long turn, not in several short ones.
      int turns = withEvents ? 1 : Math.max(1, (int) options.time().dividedBy(TURN));
      for (int turn = 0; turn < turns; turn++) {
        run.turn(options.time().dividedBy(turns), turn == 0 ? options.warmup() : REWARM);
      }
      W1Report report = run.report();
      report.print(out);
      return report.figures(name(), options);
    }
  }

  /** One run on one database: what was counted so far. */
  private final class Run {

    private final Options options;
    private final Database database;
    private final Meter engine;
    private final Meter limit;
    private final LongAdder events = new LongAdder();
    private final List<Long> backlog = new ArrayList<>();
    private @Nullable Template template;
    private long heap;

    Run(Options options, Database database) {
      this.options = options;
      this.database = database;
      this.engine = new Meter(database);
      this.limit = new Meter(database);
    }

    void turn(Duration time, Duration warmup) throws InterruptedException {
      engineTurn(time, warmup);
      limitTurn(time, warmup.compareTo(REWARM) < 0 ? warmup : REWARM);
    }

    private void engineTurn(Duration time, Duration warmup) throws InterruptedException {
      EngineBuilder builder = Engine.builder(engine.probe().store());
      if (withEvents) {
        builder.subscribe("bench", type -> true, event -> events.increment());
      }
      try (EngineLoad load = new EngineLoad(builder, activities, options, engine)) {
        if (template == null) {
          engine.probe().keep(true);
          template = Template.of(load.runOne(), engine.probe().kept());
          engine.probe().keep(false);
        }
        load.start();
        Thread.sleep(warmup);
        events.reset();
        engine.open();
        watch(time);
        engine.close();
        // While the clients still run, so that what they need is counted.
        heap = heapInUse();
        load.stop();
      }
    }

    private void watch(Duration time) throws InterruptedException {
      if (!withEvents) {
        Thread.sleep(time);
        return;
      }
      for (Duration left = time; left.isPositive(); left = left.minus(SECOND)) {
        Thread.sleep(left.compareTo(SECOND) < 0 ? left : SECOND);
        backlog.add(database.store().outbox().backlog().pending());
      }
    }

    private void limitTurn(Duration time, Duration warmup) throws InterruptedException {
      int batchSize = (int) Math.max(1, Math.round(engine.commits().meanUnits()));
      try (LimitLoad load =
              new LimitLoad(
                  limit.probe().store(),
                  requireNonNull(template, "template"),
                  options.clientsOr(CLIENTS),
                  batchSize,
                  limit);
          Deliverer deliverer = withEvents ? new Deliverer(database.store(), load.node()) : null) {
        load.start();
        Thread.sleep(warmup);
        limit.open();
        Thread.sleep(time);
        limit.close();
        load.stop();
        if (deliverer != null) {
          deliverer.stop();
        }
      }
    }

    private static long heapInUse() {
      MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
      memory.gc();
      return memory.getHeapMemoryUsage().getUsed();
    }

    W1Report report() {
      return new W1Report(
          engine,
          limit,
          heap / 1e6,
          database.hotRatio(),
          withEvents ? new Backlog(backlog) : null,
          withEvents ? Double.valueOf(events.sum() / (double) engine.steps()) : null);
    }
  }
}
