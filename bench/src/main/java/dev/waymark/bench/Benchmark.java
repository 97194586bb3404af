package dev.waymark.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Something that can be measured, by a name on the command line. */
interface Benchmark {

  String name();

  /** One line for the list of benchmarks. */
  String summary();

  /** Measures once, on a database of its own unless one was given, and prints a table. */
  Figures run(Options options, PrintStream out) throws Exception;

  /** Measures as often as the options say; of several runs comes the median of every figure. */
  default Figures runAll(Options options, PrintStream out) throws Exception {
    List<Figures> all = new ArrayList<>();
    for (int run = 1; run <= options.runs(); run++) {
      if (options.runs() > 1) {
        out.printf("Run %d of %d%n", run, options.runs());
      }
      Figures figures = run(options, out);
      out.println(figures.toJson());
      all.add(figures);
    }
    Figures median = Figures.medianOf(all);
    if (all.size() > 1) {
      out.printf("The median of %d runs, figure by figure:%n", all.size());
      out.println(median.toJson());
    }
    return median;
  }
}
