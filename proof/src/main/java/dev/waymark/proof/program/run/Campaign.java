package dev.waymark.proof.program.run;

import dev.waymark.proof.program.Comparison;
import dev.waymark.proof.program.Generator;
import dev.waymark.proof.program.Oracle;
import dev.waymark.proof.program.Outcome;
import dev.waymark.proof.program.Program;
import dev.waymark.proof.program.Trace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Many programs, one after another; every so many on a new engine, so that none grows large. */
public final class Campaign {

  /** Other orders in which an outcome is told before a difference counts as one. */
  private static final int OTHER_ORDERS = 300;

  private static final int STACK_LINES = 30;
  private static final int LINE_CHARS = 2_000;

  private static final int PER_ENGINE = 2_000;

  private final Generator generator;
  private final Supplier<ProgramRunner> engines;

  public Campaign(Generator generator, Supplier<ProgramRunner> engines) {
    this.generator = generator;
    this.engines = engines;
  }

  /**
   * What was seen.
   *
   * @param undetermined programs whose outcome depends on the order after all; what came of them is
   *     one of the outcomes that may come
   */
  public record Report(int programs, long visits, int undetermined, List<String> differences) {

    public static final Report NOTHING = new Report(0, 0, 0, List.of());

    public Report plus(Report other) {
      List<String> all = new ArrayList<>(differences);
      all.addAll(other.differences);
      return new Report(
          programs + other.programs,
          visits + other.visits,
          undetermined + other.undetermined,
          List.copyOf(all));
    }
  }

  /** Runs the programs of so many seeds from the given one on; stops when enough went wrong. */
  public Report run(long from, int count, int enough) {
    Report report = Report.NOTHING;
    long end = from + count;
    for (long seed = from; seed < end && report.differences().size() < enough; ) {
      long until = Math.min(end, seed + PER_ENGINE);
      try (ProgramRunner runner = engines.get()) {
        while (seed < until && report.differences().size() < enough) {
          report = report.plus(one(runner, seed++));
        }
        List<String> violations = runner.violations().stream().map(v -> "invariant: " + v).toList();
        if (!violations.isEmpty()) {
          String told = "seeds up to %d: %s".formatted(seed - 1, String.join("\n", violations));
          report = report.plus(new Report(0, 0, 0, List.of(told)));
        }
      }
    }
    return report;
  }

  private Report one(ProgramRunner runner, long seed) {
    Program program = generator.program(seed);
    Outcome expected = Oracle.tell(program, 0);
    Trace came;
    try {
      came = runner.run(program);
    } catch (RuntimeException e) {
      return new Report(1, 0, 0, List.of(told(program, expected, thrown(e))));
    }
    int visits = came.visits().size();
    List<String> differences = Comparison.differences(expected, came);
    if (differences.isEmpty()) {
      return new Report(1, visits, 0, List.of());
    }
    for (int order = 1; order < OTHER_ORDERS; order++) {
      if (Comparison.differences(Oracle.tell(program, order), came).isEmpty()) {
        return new Report(1, visits, 1, List.of());
      }
    }
    return new Report(1, visits, 0, List.of(told(program, expected, differences)));
  }

  private static String shown(Stream<String> lines) {
    return lines
        .map(line -> line.length() > LINE_CHARS ? line.substring(0, LINE_CHARS) + " ..." : line)
        .collect(Collectors.joining("\n  "));
  }

  private static List<String> thrown(RuntimeException thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    return trace.toString().lines().limit(STACK_LINES).toList();
  }

  private static String told(Program program, Outcome expected, List<String> differences) {
    return """
    seed %d: %d difference(s)
      %s
    reproduce: mvn -o -pl testkit -am test -Dtest=RandomProgramsTest -Dprogram.seed=%d \
    -Dsurefire.failIfNoSpecifiedTests=false
    %sscript:
      %s
    expected:
      %s
    """
        .formatted(
            program.seed(),
            differences.size(),
            shown(differences.stream()),
            program.seed(),
            program.flows().map(flow -> flow.text() + "---\n").collect(Collectors.joining()),
            shown(program.script().stream().map(String::valueOf)),
            shown(expected.summary().stream()));
  }
}
