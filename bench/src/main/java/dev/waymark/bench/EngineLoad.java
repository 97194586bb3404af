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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * W1 on the engine: every client starts an instance of some activities in a row, waits for its end
 * and starts the next one.
 *
 * <p>A step is measured from the end of one body, or from the call that starts the instance, until
 * the next body begins, or the client hears of the end: what happened in between is durable. A run
 * is measured from the call that starts it until the client hears of the end.
 */
final class EngineLoad implements Load {

  private static final Caller CALLER = Caller.of("bench");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Engine engine;
  private final Meter meter;
  private final RunRequests requests;
  private final Crew crew = new Crew();

  /** When the step that each client waits for was asked for; the last place is the sample's. */
  private final long[] asked;

  private volatile boolean stopping;

  /**
   * @param activities of each instance
   */
  EngineLoad(EngineBuilder builder, int activities, Options options, Meter meter) {
    int clients = options.clientsOr(W1.CLIENTS);
    this.meter = meter;
    this.requests = new RunRequests(options);
    this.asked = new long[clients + 1];
    this.engine = builder.name("bench").activity("work", this::work).start();
    var unused = engine.definitions().deploy(definition(activities), CALLER);
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

  private static String definition(int activities) {
    String allButLast =
        IntStream.range(1, activities)
            .mapToObj(i -> "  a%d: { type: work, next: a%d }\n".formatted(i, i + 1))
            .collect(Collectors.joining());
    return """
    waymark: 1
    key: w1
    start: a1
    activities:
    %s  a%d: { type: work }
    """
        .formatted(allButLast, activities);
  }

  /** Runs one instance beside the clients, and gives its id once it has ended. */
  InstanceId runOne() {
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
    StartRequest request = requests.next("w1", Map.of("client", client));
    long begun = System.nanoTime();
    asked[client] = begun;
    InstanceId id = engine.instances().start(request, CALLER).orThrow();
    Instance ended = engine.instances().awaitEnd(id, PATIENCE, CALLER);
    long heard = System.nanoTime();
    meter.step(heard - asked[client]);
    meter.instance(heard - begun);
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
