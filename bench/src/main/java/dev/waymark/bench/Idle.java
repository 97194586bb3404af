package dev.waymark.bench;

import dev.waymark.engine.Engine;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an engine without work asks of its database: an idle service must not be a burden on it.
 *
 * <p>Counted are calls of the store, nearly all of which are one statement, and where the database
 * counts them its transactions.
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
    try (Database database = Database.open(options)) {
      Probe probe = new Probe(database.store());
      try (Engine engine =
          Engine.builder(probe.store()).subscribe("bench", type -> true, event -> {}).start()) {
        out.printf("Node %s idles on %s%n%n", engine.node(), database.description());
        Thread.sleep(options.warmup());
        Map<String, Long> before = probe.calls();
        Long transactionsBefore = database.transactions();
        Thread.sleep(options.time());
        Map<String, Long> after = probe.calls();
        Long transactionsAfter = database.transactions();
        return report(
            options,
            out,
            before,
            after,
            transactionsBefore == null || transactionsAfter == null
                ? null
                : transactionsAfter - transactionsBefore);
      }
    }
  }

  private Figures report(
      Options options,
      PrintStream out,
      Map<String, Long> before,
      Map<String, Long> after,
      @Nullable Long transactions) {
    double seconds = options.time().toSeconds();
    long all = 0;
    for (Map.Entry<String, Long> call : after.entrySet()) {
      long calls = call.getValue() - before.getOrDefault(call.getKey(), 0L);
      if (calls > 0) {
        out.printf("  %-28s%10.2f /s%n", call.getKey(), calls / seconds);
      }
      all += calls;
    }
    Double transactionsPerSecond = transactions == null ? null : transactions / seconds;
    out.printf("  %-28s%10.2f /s%n", "all", all / seconds);
    if (transactionsPerSecond != null) {
      out.printf("  %-28s%10.2f /s%n", "transactions", transactionsPerSecond);
    }
    out.println();
    return new Figures()
        .put("w", name())
        .put("store", options.store().toString())
        .put("calls_s", all / seconds)
        .put("transactions_s", transactionsPerSecond);
  }
}
