package dev.waymark.examples;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A trip is booked in three places, and the third one fails for good: what was booked before is
 * undone, the last first. Each handler gets what its activity was given and gave back.
 */
public final class SagaExample {

  static final String TRIP =
      """
      waymark: 1
      key: trip
      on:
        error: { compensate: true, fail: true }
      start: flight
      activities:
        flight: { type: book, compensate: cancel-flight, next: hotel }
        hotel: { type: book, compensate: cancel-hotel, next: car }
        car: { type: book, retry: { attempts: 2, backoff: PT0.1S } }
        cancel-flight: { type: cancel, with: { booking: "${ Output.booking }" } }
        cancel-hotel: { type: cancel, with: { booking: "${ Output.booking }" } }
      """;

  private SagaExample() {}

  public static void main(String[] args) {
    trip(SqliteStore.open(Path.of("saga.db")), System.out::println).forEach(System.out::println);
  }

  /** Runs the trip, and tells what history says about it. */
  static List<String> trip(Store store, Consumer<String> world) {
    Caller you = Caller.of("you");
    try (Engine engine =
        Engine.builder(store)
            .activity("book", context -> book(context, world))
            .activity("cancel", context -> cancel(context, world))
            .start()) {
      engine.definitions().deploy(TRIP, you);
      InstanceId id = engine.instances().start(StartRequest.of("trip"), you).orThrow();
      engine.instances().awaitEnd(id, Duration.ofSeconds(30), you);
      return engine.instances().history(id, 1, 100, you).stream().map(SagaExample::line).toList();
    }
  }

  static ActivityResult book(ActivityContext context, Consumer<String> world) {
    if (context.activity().equals("car")) {
      return ActivityResult.failed("NO_CAR", "All cars are taken");
    }
    world.accept("booked " + context.activity());
    return ActivityResult.completed(Map.of("booking", context.activity() + "-4711"));
  }

  static ActivityResult cancel(ActivityContext context, Consumer<String> world) {
    world.accept("cancelled " + context.input().get("booking"));
    return ActivityResult.completed();
  }

  private static String line(HistoryEntry entry) {
    return "%-28s %s".formatted(entry.type(), entry.activity() == null ? "" : entry.activity());
  }
}
