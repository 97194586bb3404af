package dev.waymark.bench;

import dev.waymark.engine.Engine;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an engine without work asks of its database: an idle service must not be a burden on it.
 *
 * <p>Counted are calls of the store, nearly all of which are one statement, and where the database
 * counts them its transactions and statements.
 */
final class Idle implements Benchmark {

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String summary() {
    return "what an engine without work, with one subscriber, asks of its database";
  }

  @Override
  public Figures run(Options options, PrintStream out) throws InterruptedException {
    try (Database database = Database.counting(options)) {
      Probe probe = new Probe(database.store());
      try (Engine engine =
          Engine.builder(probe.store()).subscribe("bench", type -> true, event -> {}).start()) {
        out.printf("Node %s idles on %s%n%n", engine.node(), database.description());
        Thread.sleep(options.warmup());
        Map<String, Long> before = probe.calls();
        Long transactionsBefore = database.transactions();
        Long statementsBefore = database.statements();
        Thread.sleep(options.time());
        return report(
            options,
            out,
            before,
            probe.calls(),
            new Asked(
                between(transactionsBefore, database.transactions()),
                between(statementsBefore, database.statements())));
      }
    }
  }

  /** What the database has counted, as far as it counts. */
  private record Asked(@Nullable Long transactions, @Nullable Long statements) {}

  private static @Nullable Long between(@Nullable Long before, @Nullable Long after) {
    return before == null || after == null ? null : Long.valueOf(after - before);
  }

  private Figures report(
      Options options,
      PrintStream out,
      Map<String, Long> before,
      Map<String, Long> after,
      Asked asked) {
    double seconds = options.time().toSeconds();
    long all = 0;
    for (Map.Entry<String, Long> call : after.entrySet()) {
      long calls = call.getValue() - before.getOrDefault(call.getKey(), 0L);
      if (calls > 0) {
        out.printf("  %-28s%10.2f /s%n", call.getKey(), calls / seconds);
      }
      all += calls;
    }
    out.printf("  %-28s%10.2f /s%n", "all", all / seconds);
    Double transactions = perSecond(asked.transactions(), seconds);
    Double statements = perSecond(asked.statements(), seconds);
    if (transactions != null) {
      out.printf("  %-28s%10.2f /s%n", "transactions", transactions);
    }
    if (statements != null) {
      out.printf("  %-28s%10.2f /s%n", "statements", statements);
    }
    out.println();
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("calls_s", all / seconds)
        .put("transactions_s", transactions)
        .put("statements_s", statements);
  }

  private static @Nullable Double perSecond(@Nullable Long count, double seconds) {
    return count == null ? null : Double.valueOf(count / seconds);
  }
}
