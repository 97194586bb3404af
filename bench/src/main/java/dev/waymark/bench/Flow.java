package dev.waymark.bench;

import dev.waymark.engine.Engine;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What control flow costs: fork and join of ten branches, a for-each of a hundred items and a
 * sub-workflow of three levels, each beside W1's five activities in a row. All take turns within
 * one run, so a ratio compares them in the same mood of the machine.
 */
final class Flow implements Benchmark {

  private static final Duration TURN = Duration.ofSeconds(2);
  private static final Duration REWARM = Duration.ofMillis(500);

  /** Each shape has code of its own to compile: after 5 s it ran at half of its speed after 20. */
  private static final int WARMUPS = 4;

  private static final int CLIENTS = 100;

  /** One thing to be measured: its definitions, of which the last is started. */
  private record Shape(String key, List<String> definitions) {}

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("w1", List.of(row())),
          new Shape("fork", List.of(fork())),
          new Shape("each", List.of(each())),
          new Shape("child", List.of(leaf(), parent("middle", "leaf"), parent("child", "middle"))));

  private static String row() {
    return """
    waymark: 1
    key: w1
    start: a1
    activities:
      a1: { type: work, next: a2 }
      a2: { type: work, next: a3 }
      a3: { type: work, next: a4 }
      a4: { type: work, next: a5 }
      a5: { type: work }
    """;
  }

  private static String fork() {
    String names = IntStream.range(0, 10).mapToObj(i -> "b" + i).collect(Collectors.joining(", "));
    String branches =
        IntStream.range(0, 10)
            .mapToObj("  b%d: { type: work, next: j }\n"::formatted)
            .collect(Collectors.joining());
    return """
    waymark: 1
    key: fork
    start: f
    activities:
      f: { type: fork, with: { branches: [%s] } }
      j: { type: join }
    """
            .formatted(names)
        + branches;
  }

  private static String each() {
    String items =
        IntStream.range(0, 100).mapToObj(Integer::toString).collect(Collectors.joining(", "));
    return """
    waymark: 1
    key: each
    start: e
    activities:
      e:
        type: for-each
        with: { items: [%s], parallel: 10 }
        variables: { r: 0 }
        start: one
        activities:
          one: { type: work }
        collect: "${ Variables.r }"
    """
        .formatted(items);
  }

  private static String leaf() {
    return "waymark: 1\nkey: leaf\nstart: a\nactivities:\n  a: { type: work }\n";
  }

  private static String parent(String key, String child) {
    return """
    waymark: 1
    key: %s
    start: c
    activities:
      c: { type: sub-workflow, with: { definition: %s } }
    """
        .formatted(key, child);
  }

  @Override
  public String name() {
    return "flow";
  }

  @Override
  public String summary() {
    return "fork of 10, for-each of 100, 3 levels of sub-workflow, each beside W1 (100 clients)";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    try (Database database = Database.open(options)) {
      int clients = Math.min(options.clientsOr(CLIENTS), CLIENTS);
      out.printf(
          "FLOW on %s, %,d clients, %d s each%n",
          database.description(), clients, options.time().toSeconds());
      List<Turns> all = SHAPES.stream().map(shape -> new Turns(shape, database)).toList();
      int turns = Math.max(1, (int) options.time().dividedBy(TURN));
      Duration warmup = options.warmup().multipliedBy(WARMUPS);
      for (int turn = 0; turn < turns; turn++) {
        for (Turns one : all) {
          one.turn(clients, options.time().dividedBy(turns), turn == 0 ? warmup : REWARM);
        }
      }
      return report(options, clients, all, out);
    }
  }

  /** What was counted of one shape so far. */
  private static final class Turns {
    private final Shape shape;
    private final Meter meter;
    private long steps;

    Turns(Shape shape, Database database) {
      this.shape = shape;
      this.meter = new Meter(database);
    }

    void turn(int clients, Duration time, Duration warmup) throws InterruptedException {
      try (FlowLoad load =
          new FlowLoad(
              Engine.builder(meter.probe().store()),
              shape.definitions(),
              shape.key(),
              clients,
              meter)) {
        load.start();
        Thread.sleep(warmup);
        meter.open();
        Thread.sleep(time);
        meter.close();
        load.stop();
        steps = load.steps();
      }
    }
  }

  private static Figures report(Options options, int clients, List<Turns> all, PrintStream out) {
    Figures figures =
        new Figures()
            .put("w", "flow")
            .put("store", options.store().toString())
            .put("concurrency", clients);
    double w1 = all.get(0).meter.stepsPerSecond();
    out.printf("%-6s %8s %12s %12s %8s%n", "", "steps", "instances/s", "steps/s", "of W1");
    for (Turns one : all) {
      String key = one.shape.key();
      double rate = one.meter.stepsPerSecond();
      out.printf(
          "%-6s %8d %,12.0f %,12.0f %8.2f%n",
          key, one.steps, one.meter.instancesPerSecond(), rate, rate / w1);
      figures.put(key + "_steps_s", Double.valueOf(rate));
      if (!key.equals("w1")) {
        figures.put(key + "_ratio", Double.valueOf(rate / w1));
      }
    }
    return figures;
  }
}
