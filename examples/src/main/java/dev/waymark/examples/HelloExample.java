package dev.waymark.examples;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The first workflow: ask somebody, greet them, done. Every step of it is committed before the next
 * begins; kill the process at any moment, start it again, and the run goes on where it was.
 */
public final class HelloExample {

  // tag::definition[]
  static final String HELLO =
      """
      waymark: 1
      key: hello
      start: ask
      activities:
        ask:                 # waits until somebody answers; costs nothing while it waits
          type: wait
          with: { payload: { question: "What is your name?" } }
          next: greet
        greet:               # your Java code
          type: greet
      """;

  // end::definition[]

  private HelloExample() {}

  public static void main(String[] args) {
    System.out.println(hello(SqliteStore.open(Path.of("hello.db")), "Ada"));
  }

  // tag::code[]
  static Object hello(Store store, String name) {
    Caller you = Caller.of("you");
    try (Engine engine =
        Engine.builder(store)
            .activity(
                "greet",
                context -> {
                  String who = context.variable("name", String.class);
                  return ActivityResult.completed(Map.of("greeting", "Hello, " + who + "!"));
                })
            .start()) {
      engine.definitions().deploy(HELLO, you);
      InstanceId id = engine.instances().start(StartRequest.of("hello"), you).orThrow();

      var question = engine.instances().find(id, you).orElseThrow().bookmarks().firstKey();
      engine.bookmarks().resume(question, Map.of("name", name), you).orThrow();

      var ended = engine.instances().awaitEnd(id, Duration.ofSeconds(10), you);
      return ended.variables().getOrDefault("greeting", "nothing to say");
    }
  }
  // end::code[]
}
