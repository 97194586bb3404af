package dev.waymark.bench;

import java.io.PrintStream;
import java.util.List;

/** Runs one benchmark and prints its figures: a table for people, then one line of JSON. */
public final class Main {

  /** Every benchmark there is; a new one is a class and a line here. */
  private static final List<Benchmark> BENCHMARKS =
      List.of(
          W1.plain(),
          W1.withEvents(),
          W1.ofOneBody(),
          W1.ofManyBodies(),
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
    Job job;
    try {
      job = jobOf(args.get(0), args.subList(1, args.size()));
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      err.println("Try 'bench/run --help'.");
      return MISUSED;
    }
    try {
      return job.run(out) ? 0 : FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } catch (Exception e) {
      err.println("'%s' could not be measured: %s".formatted(args.get(0), e));
      e.printStackTrace(err);
      return FAILED;
    }
  }

  /** What the arguments ask for. */
  private interface Job {

    /** False if something is not as it should be; what it is has been printed. */
    boolean run(PrintStream out) throws Exception;
  }

  private static Job jobOf(String name, List<String> args) {
    if (name.equals(Check.NAME)) {
      return Check.of(args)::run;
    }
    Benchmark benchmark = find(name);
    Options options = Options.parse(args);
    return out -> {
      var unused = benchmark.runAll(options, out);
      return true;
    };
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
    return text.append("  %-8s %s\n".formatted(Check.NAME, Check.SUMMARY))
        .append('\n')
        .append(Options.HELP)
        .append('\n')
        .append(Check.HELP)
        .toString();
  }
}
