package dev.waymark.proof.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.Settings;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the tests of references have in common: callers, a flow, bodies that put and read. */
final class PayloadScenes {

  static final Caller ANNA = Caller.of("anna");
  static final Caller STRANGER = Caller.of(Actor.of("anna").in("another"));
  static final Duration DAY = Settings.DEFAULT.unusedPayloads();
  static final PayloadReference GONE = new PayloadReference("0".repeat(64), 4, "text/plain");

  static final String FLOW =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: wait, with: { for: user-action, key: ask }, next: told }
        told:
          type: wait
          with: { for: external-message, key: told, correlate: "42" }
          next: last
        last: { type: wait }
      """;

  static String bodies(String type) {
    return """
    waymark: 1
    key: bodies
    start: body
    activities:
      body: { type: %s, next: last }
      last: { type: wait }
    """
        .formatted(type);
  }

  static PayloadReference put(WorkflowTestKit kit, String content) {
    return kit.engine().payloads().put(content.getBytes(UTF_8), "text/plain", ANNA);
  }

  static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  static void tidy(WorkflowTestKit kit) {
    Housekeeping housekeeping = kit.engine().bookmarks().housekeeping();
    while (housekeeping.tidy().fills(housekeeping.retention().batch())) {
      // One bounded batch each time.
    }
  }

  static void setUp(EngineBuilder builder) {
    builder
        .activity(
            "scan",
            context ->
                ActivityResult.completed(
                    Map.of(
                        "scan",
                        context.payloads().put("from a body".getBytes(UTF_8), "text/plain"))))
        .activity(
            "read",
            context -> {
              PayloadReference scan =
                  PayloadReference.of(context.variables().get("scan")).orElseThrow();
              try (var content = context.payloads().open(scan)) {
                return ActivityResult.completed(
                    Map.of("text", new String(content.readAllBytes(), UTF_8)));
              }
            })
        .transactionalActivity(
            "joining",
            (context, connection) ->
                ActivityResult.completed(Map.of("again", context.variable("scan", Map.class))))
        .transactionalActivity(
            "joining-forgetful",
            (context, connection) -> ActivityResult.completed(Map.of("scan", GONE)))
        .activity("forgetful", context -> ActivityResult.completed(Map.of("scan", GONE)))
        .activity(
            "careless", context -> ActivityResult.completed(Map.of("$payload", "sha256:none")))
        .activity(
            "telling",
            context ->
                ActivityResult.completed().emitting("scanned", Map.of("scans", List.of(GONE))));
  }

  private PayloadScenes() {}
}
