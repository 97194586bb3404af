package dev.waymark.bench;

import java.io.PrintStream;

/** Something that can be measured, by a name on the command line. */
interface Benchmark {

  String name();

  /** One line for the list of benchmarks. */
  String summary();

  /** Measures once, on a database of its own unless one was given, and prints a table. */
  Figures run(Options options, PrintStream out) throws Exception;
}
