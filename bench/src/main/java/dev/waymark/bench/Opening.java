package dev.waymark.bench;

import dev.waymark.engine.Engine;
import dev.waymark.engine.store.Store;
import java.io.PrintStream;

/**
 * How long it takes to open an engine on a schema that exists, its store included; again and again
 * in one process, since tests do so and since a first time says little.
 *
 * <p>The opening that makes the schema comes before all others and is told apart: it also loads
 * most classes.
 */
final class Opening implements Benchmark {

  private static final int TIMES = 10;
  private static final double MEDIAN = 0.5;

  @Override
  public String name() {
    return "opening";
  }

  @Override
  public String summary() {
    return "how long it takes to open an engine on a schema that exists (10 times)";
  }

  @Override
  public Figures run(Options options, PrintStream out) {
    int times = options.timesOr(TIMES);
    try (Database database = Database.unopened(options)) {
      out.printf("OPENING on %s, %d times%n", database.description(), times);
      double creating = open(database).millis();
      double first = Double.NaN;
      Histogram all = new Histogram();
      Histogram later = new Histogram();
      Histogram stores = new Histogram();
      Histogram closings = new Histogram();
      for (int i = 0; i < times; i++) {
        Opened opened = open(database);
        all.add(opened.nanos());
        stores.add(opened.storeNanos());
        closings.add(opened.closingNanos());
        if (i == 0) {
          first = opened.millis();
        } else {
          later.add(opened.nanos());
        }
      }
      out.printf("%n  %-36s%10.1f ms%n", "with a schema to be made", creating);
      out.printf("  %-36s%10.1f ms%n", "the first after it", first);
      out.printf("  %-36s%10.1f ms%n", "median", all.millisAt(MEDIAN));
      out.printf("  %-36s%10.1f ms%n", "median without the first", later.millisAt(MEDIAN));
      out.printf("  %-36s%10.1f ms%n", "median, of it the store", stores.millisAt(MEDIAN));
      out.printf("  %-36s%10.1f ms%n%n", "median of closing", closings.millisAt(MEDIAN));
      return new Figures()
          .put("w", name())
          .put("store", options.store().toString())
          .put("openings", times)
          .put("create_ms", Double.valueOf(creating))
          .put("first_ms", Double.valueOf(first))
          .put("median_ms", Double.valueOf(all.millisAt(MEDIAN)))
          .put("later_median_ms", Double.valueOf(later.millisAt(MEDIAN)))
          .put("store_median_ms", Double.valueOf(stores.millisAt(MEDIAN)))
          .put("close_median_ms", Double.valueOf(closings.millisAt(MEDIAN)));
    }
  }

  /**
   * One opening.
   *
   * @param nanos until the engine could be used
   * @param storeNanos of them, for the store
   */
  private record Opened(long nanos, long storeNanos, long closingNanos) {

    double millis() {
      return nanos / 1e6;
    }
  }

  private static Opened open(Database database) {
    long begun = System.nanoTime();
    Store store = database.openStore();
    long stored = System.nanoTime();
    Engine engine = Engine.builder(store).start();
    long opened = System.nanoTime();
    engine.close();
    return new Opened(opened - begun, stored - begun, System.nanoTime() - opened);
  }
}
