package dev.waymark.bench;

import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Whether the ten-thousandth step of an instance costs what its first ones did. */
final class LongHistory implements Benchmark {

  private static final int STEPS = 10_000;
  private static final Caller CALLER = Caller.of("bench");

  @Override
  public String name() {
    return "history";
  }

  @Override
  public String summary() {
    return "what a step costs at the beginning and at the end of 10,000";
  }

  @Override
  public Figures run(Options options, PrintStream out) {
    Histogram early = new Histogram();
    Histogram late = new Histogram();
    AtomicLong last = new AtomicLong();
    try (Database database = Database.open(options);
        Engine engine =
            Engine.builder(new Probe(database.store()).store())
                .activity(
                    "count",
                    context -> {
                      int n = context.variable("n", Integer.class);
                      long now = System.nanoTime();
                      long took = now - last.getAndSet(now);
                      if (n > STEPS / 10 && n <= STEPS * 2 / 10) {
                        early.add(took);
                      } else if (n > STEPS * 9 / 10) {
                        late.add(took);
                      }
                      return ActivityResult.completed(Map.of("n", n + 1));
                    })
                .start()) {
      out.printf("On %s%n", database.description());
      engine
          .definitions()
          .deploy(
              """
              waymark: 1
              key: history
              maxVisits: 100000
              start: count
              activities:
                count: { type: count, next: [{ when: "Variables.n < %d", to: count }, { to: end }] }
                end: { type: end }
              """
                  .formatted(STEPS),
              CALLER);
      // The first run warms up; what it records is not looked at.
      for (int i = 0; i < 2; i++) {
        var id =
            engine
                .instances()
                .start(StartRequest.of("history").input(Map.of("n", 0)), CALLER)
                .orThrow();
        var unused = engine.instances().awaitEnd(id, Duration.ofMinutes(5), CALLER);
      }
      double before = early.millisAt(0.5);
      double after = late.millisAt(0.5);
      out.printf(
          "%n  a step costs %.3f ms after %,d steps and %.3f ms after %,d: ratio %.2f%n%n",
          before, STEPS / 10, after, STEPS * 9 / 10, after / before);
      return new Figures()
          .put("w", name())
          .put("store", options.store().toString())
          .put("early_ms", before)
          .put("late_ms", after)
          .put("ratio", after / before);
    }
  }
}
