package dev.waymark.bench;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * W1 on the engine: every client starts an instance of five activities, waits for its end and
 * starts the next one.
 *
 * <p>A step is measured from the end of one body, or from the call that starts the instance, until
 * the next body begins, or the client hears of the end: what happened in between is durable.
 */
final class EngineLoad implements Load {

  private static final String DEFINITION =
      """
      waymark: 1
      key: w1
      start: a1
      activities:
        a1: { type: work, next: a2 }
        a2: { type: work, next: a3 }
        a3: { type: work, next: a4 }
        a4: { type: work, next: a5 }
        a5: { type: work }
      """;

  private static final Caller CALLER = Caller.of("bench");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Engine engine;
  private final Meter meter;
  private final boolean keys;
  private final AtomicLong lastKey = new AtomicLong();
  private final Crew crew = new Crew();

  /** When the step that each client waits for was asked for; the last place is the sample's. */
  private final long[] asked;

  private volatile boolean stopping;

  EngineLoad(EngineBuilder builder, int clients, boolean keys, Meter meter) {
    this.meter = meter;
    this.keys = keys;
    this.asked = new long[clients + 1];
    this.engine = builder.name("bench").activity("work", this::work).start();
    var unused = engine.definitions().deploy(DEFINITION, CALLER);
    for (int client = 0; client < clients; client++) {
      int number = client;
      crew.add(
          Thread.ofVirtual(),
          () -> {
            while (!stopping && !crew.hasTrouble()) {
              runInstance(number);
            }
          });
    }
  }

  /** Runs one instance beside the clients, and gives its id once it has ended. */
  InstanceId sample() {
    return runInstance(asked.length - 1);
  }

  @Override
  public void start() {
    crew.start();
  }

  @Override
  public void stop() throws InterruptedException {
    stopping = true;
    crew.join();
  }

  @Override
  public void close() {
    stopping = true;
    engine.close();
  }

  private InstanceId runInstance(int client) {
    StartRequest request = StartRequest.of("w1").input(Map.of("client", client));
    if (keys) {
      request = request.businessKey("order-" + lastKey.incrementAndGet());
    }
    asked[client] = System.nanoTime();
    InstanceId id = engine.instances().start(request, CALLER).orThrow();
    Instance ended = engine.instances().awaitEnd(id, PATIENCE, CALLER);
    meter.step(System.nanoTime() - asked[client]);
    meter.instance();
    if (ended.status() != Status.COMPLETED) {
      throw new IllegalStateException(
          "Expected instance %s to complete, but it is %s".formatted(id, ended.status()));
    }
    return id;
  }

  private ActivityResult work(ActivityContext context) {
    long begun = System.nanoTime();
    int client = ((Number) requireNonNull(context.variables().get("client"))).intValue();
    meter.step(begun - asked[client]);
    ActivityResult result = ActivityResult.completed(Map.of(context.activity(), 17));
    asked[client] = System.nanoTime();
    return result;
  }
}
