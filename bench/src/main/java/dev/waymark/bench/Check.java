package dev.waymark.bench;

import dev.waymark.bench.JudgedFigure.Cap;
import dev.waymark.bench.JudgedFigure.Ratio;
import dev.waymark.bench.JudgedFigure.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a fixed set of benchmarks on PostgreSQL and holds their figures against those that are kept
 * in the repository, so that a commit which costs more than a tenth of the speed is seen.
 *
 * <p>All of them run in one process and always in the same order: what the compiler has learnt from
 * one when the next begins is the same each time.
 */
final class Check {

  static final String NAME = "check";
  static final String SUMMARY =
      "a short set of these, held against kept ratios; exits 1 if one has fallen by more than 10 %";
  static final String HELP = CheckRequest.HELP;

  /**
   * One benchmark of the set.
   *
   * @param name under which its figures are judged; the same benchmark may be there twice
   * @param options what it runs with, where the request says nothing else
   */
  record Measurement(String name, Benchmark benchmark, List<String> options) {

    static Measurement of(String name, Benchmark benchmark, String options) {
      return new Measurement(
          name, benchmark, options.isEmpty() ? List.of() : List.of(options.split(" ")));
    }
  }

  // Openings come first, before anything else has loaded and compiled the classes. The first W1
  // compiles for the others, and so has the longest warm-up. One run of W2 says little: its ratio
  // of claims was 1.27, 1.45, 1.51 and 1.68 in four runs on a machine that did nothing else.
  private static final List<Measurement> SET =
      List.of(
          Measurement.of("opening", new Opening(), ""),
          Measurement.of(
              "w1_200", W1.plain(), "--keys yes --concurrency 200 --seconds 12 --warmup 15"),
          Measurement.of("w1_8", W1.plain(), "--keys yes --concurrency 8 --seconds 12 --warmup 5"),
          Measurement.of("w1_1", W1.plain(), "--keys yes --concurrency 1 --seconds 12 --warmup 5"),
          Measurement.of(
              "body", W1.ofOneBody(), "--keys yes --concurrency 200 --seconds 12 --warmup 5"),
          Measurement.of("w2", new W2(), "--times 200 --seconds 4 --warmup 3 --runs 3"),
          Measurement.of("idle", new Idle(), "--seconds 20 --warmup 5"),
          Measurement.of("lateness", new Lateness(), "--times 10 --seconds 10 --warmup 5"));

  private static final List<JudgedFigure> FIGURES =
      List.of(
          new Ratio(
              "w1_200", "ratio", "W1 with business keys, 200 clients: steps/s of the limit's"),
          new Ratio("w1_8", "ratio", "W1 with business keys, 8 clients: steps/s of the limit's"),
          new Ratio("w1_1", "ratio", "W1 with business keys, 1 client: steps/s of the limit's"),
          new Ratio("body", "ratio", "runs of one body, keys, 200 clients: steps/s of the limit's"),
          new Ratio("w2", "claims_ratio", "W2, 8 workers: claims/s of those of plain JDBC"),
          new Ratio("w2", "completes_ratio", "W2, 8 workers: completed tasks/s of the limit's"),
          new Ratio(
              "w2", "inbox_p50_ratio", "W2, 8 workers: a page by plain JDBC of one by the engine"),
          new Cap("opening", "later_median_ms", "opening on an existing schema, median", 500),
          new Cap("idle", "statements_s", "statements of an idle engine, a second", 3),
          new Cap("lateness", "lateness_p99_ms", "lateness beside 10,000 timers, p99", 25));

  private final CheckRequest request;
  private final List<JudgedFigure> figures;
  private final KeptRatios kept;
  private final Map<Measurement, Options> set = new LinkedHashMap<>();

  /** Refuses what it cannot do before anything is measured. */
  Check(CheckRequest request, List<Measurement> measurements, List<JudgedFigure> figures) {
    this.request = request;
    this.figures = figures;
    this.kept = KeptRatios.read(request.ratios(), ratios(figures));
    for (Measurement measurement : measurements) {
      set.put(measurement, Options.parse(request.options(), measurement.options()));
    }
  }

  static Check of(List<String> args) {
    return new Check(CheckRequest.parse(args), SET, FIGURES);
  }

  private static List<Ratio> ratios(List<JudgedFigure> figures) {
    return figures.stream().filter(Ratio.class::isInstance).map(Ratio.class::cast).toList();
  }

  /** False if a figure is worse than it may be; always true if the ratios were to be kept. */
  boolean run(PrintStream out) throws Exception {
    Map<String, Figures> found = new HashMap<>();
    for (Map.Entry<Measurement, Options> one : set.entrySet()) {
      Measurement measurement = one.getKey();
      out.printf("%s: %s%n", measurement.name(), measurement.benchmark().summary());
      found.put(measurement.name(), measurement.benchmark().runAll(one.getValue(), out));
    }
    List<Row> rows = new ArrayList<>();
    for (JudgedFigure figure : figures) {
      Figures source = found.get(figure.measurement());
      Double now = source == null ? null : source.number(figure.figure());
      rows.add(new Row(figure, now, figure.judge(kept, now)));
    }
    print(rows, out);
    if (request.write()) {
      keep(rows, out);
      return true;
    }
    return rows.stream().noneMatch(row -> row.verdict().isFault());
  }

  /** One line of the table. */
  private record Row(JudgedFigure figure, @Nullable Double now, Verdict verdict) {}

  private void print(List<Row> rows, PrintStream out) {
    out.printf("%n  %-26s%14s%12s  %s%n", "figure", "kept", "now", "verdict");
    Figures all = new Figures().put("w", NAME);
    for (Row row : rows) {
      out.printf(
          "  %-26s%14s%12s  %s%n",
          row.figure().name(),
          row.figure().against(kept),
          row.now() == null ? "-" : "%.3f".formatted(row.now()),
          row.verdict());
      all.put(row.figure().name(), row.now());
    }
    out.println();
    for (Row row : rows) {
      if (row.verdict() != Verdict.OK) {
        out.printf("  %s is %s%n", row.figure().name(), row.figure().meaning());
      }
    }
    out.println(all.toJson());
  }

  private void keep(List<Row> rows, PrintStream out) {
    Map<String, Double> now = new HashMap<>();
    for (Row row : rows) {
      Double ratio = row.now();
      if (ratio != null && row.figure() instanceof Ratio) {
        now.put(row.figure().name(), ratio);
      }
    }
    new KeptRatios(now).write(request.ratios(), ratios(figures));
    out.printf("Kept in %s%n", request.ratios());
  }
}
