package dev.waymark.bench;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Clients in a closed loop, each with one instance of a definition at a time. */
final class FlowLoad implements Load {

  private static final Caller CALLER = Caller.of("bench");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Engine engine;
  private final String key;
  private final Meter meter;
  private final Crew crew = new Crew();
  private final long steps;
  private volatile boolean stopping;

  /**
   * @param definitions the last one is what clients start
   * @param key its key
   */
  FlowLoad(EngineBuilder builder, List<String> definitions, String key, int clients, Meter meter) {
    this.meter = meter;
    this.key = key;
    this.engine =
        builder
            .name("bench")
            .activity("work", context -> ActivityResult.completed(Map.of("r", 17)))
            .start();
    definitions.forEach(
        text -> {
          var unused = engine.definitions().deploy(text, CALLER);
        });
    this.steps = stepsOf(runInstance());
    for (int client = 0; client < clients; client++) {
      crew.add(Thread.ofVirtual(), this::loop);
    }
  }

  private void loop() {
    while (!stopping && !crew.hasTrouble()) {
      long asked = System.nanoTime();
      Instance ended = runInstance();
      if (ended.version() == 0) {
        throw new IllegalStateException("Expected steps, but got none");
      }
      long took = System.nanoTime() - asked;
      meter.instance(took);
      meter.steps(steps, took);
    }
  }

  /** Durable steps of one instance and all that it starts. */
  long steps() {
    return steps;
  }

  private long stepsOf(Instance instance) {
    long sum = instance.version();
    for (Instance child : engine.instances().children(instance.id(), CALLER)) {
      sum += stepsOf(engine.instances().find(child.id(), CALLER).orElseThrow());
    }
    return sum;
  }

  private Instance runInstance() {
    InstanceId id = engine.instances().start(StartRequest.of(key), CALLER).orThrow();
    Instance ended = engine.instances().awaitEnd(id, PATIENCE, CALLER);
    if (ended.status() != Status.COMPLETED) {
      throw new IllegalStateException(
          "Expected instance %s to complete, but it is %s".formatted(id, ended.status()));
    }
    return ended;
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
}
