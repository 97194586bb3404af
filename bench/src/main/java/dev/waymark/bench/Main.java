package dev.waymark.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Runs one benchmark and prints its figures: a table for people, then one line of JSON. */
public final class Main {

  /** Every benchmark there is; a new one is a class and a line here. */
  private static final List<Benchmark> BENCHMARKS =
      List.of(
          W1.plain(),
          W1.withEvents(),
          W1.ofOneBody(),
          new W2(),
          new W3(),
          new W4(),
          new Flow(),
          new Lateness(),
          new Latency(),
          new Opening(),
          new Idle(),
          new Await(),
          new Waiting(),
          new LongHistory(),
          new Chaos.Kill(),
          new Chaos.Cut(),
          new Chaos.Outage(),
          new Chaos.Busy(),
          new Chaos.Takeover());

  private static final int MISUSED = 2;
  private static final int FAILED = 1;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /** Runs what the arguments ask for; the answer is the exit code. */
  static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.isEmpty() || args.contains("--help") || args.contains("-h")) {
      out.print(help());
      return args.isEmpty() ? MISUSED : 0;
    }
    Benchmark benchmark;
    Options options;
    try {
      benchmark = find(args.get(0));
      options = Options.parse(args.subList(1, args.size()));
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      err.println("Try 'bench/run --help'.");
      return MISUSED;
    }
    try {
      repeat(benchmark, options, out);
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } catch (Exception e) {
      err.println("'%s' could not be measured: %s".formatted(benchmark.name(), e));
      e.printStackTrace(err);
      return FAILED;
    }
  }

  private static void repeat(Benchmark benchmark, Options options, PrintStream out)
      throws Exception {
    List<Figures> all = new ArrayList<>();
    for (int run = 1; run <= options.runs(); run++) {
      if (options.runs() > 1) {
        out.printf("Run %d of %d%n", run, options.runs());
      }
      Figures figures = benchmark.run(options, out);
      out.println(figures.toJson());
      all.add(figures);
    }
    if (all.size() > 1) {
      out.printf("The median of %d runs, figure by figure:%n", all.size());
      out.println(Figures.medianOf(all).toJson());
    }
  }

  private static Benchmark find(String name) {
    return BENCHMARKS.stream()
        .filter(benchmark -> benchmark.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Expected a benchmark (%s), but got '%s'"
                        .formatted(
                            String.join(", ", BENCHMARKS.stream().map(Benchmark::name).toList()),
                            name)));
  }

  private static String help() {
    StringBuilder text = new StringBuilder("bench/run BENCHMARK [OPTION...]\n\n");
    for (Benchmark benchmark : BENCHMARKS) {
      text.append("  %-8s %s\n".formatted(benchmark.name(), benchmark.summary()));
    }
    return text.append('\n').append(Options.HELP).toString();
  }
}
