package dev.waymark.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Notification;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Somebody new is welcomed. A partner checks who they are and calls back with a token that only it
 * was given; if it takes too long, people are reminded and the wait goes on; and a timer lets some
 * time pass before the newcomer is asked how it went.
 */
public final class OnboardingExample {

  static final String ONBOARDING =
      """
      waymark: 1
      key: onboarding
      input: { type: object, required: [name] }
      start: ask
      activities:
        ask: { type: ask-partner, next: identity }
        identity:
          type: wait
          with: { for: webhook, key: identity }
          on:
            timeout: { after: PT0.2S, to: remind, interrupt: false }
          next:
            - when: "Output.result == 'known'"
              to: settle
            - to: refused
        remind:
          type: emit
          with:
            type: notification
            data: { to: ["role:people"], priority: high, text: "${ Variables.name } still waits" }
        settle: { type: timer, with: { after: PT0.1S }, next: welcome }
        welcome: { type: set, with: { outcome: welcome } }
        refused: { type: set, with: { outcome: refused } }
      """;

  private OnboardingExample() {}

  public static void main(String[] args) {
    onboard(SqliteStore.open(Path.of("onboarding.db")), System.out::println);
  }

  /** Runs one onboarding, and tells what happens. */
  static Instance onboard(Store store, Consumer<String> told) {
    Caller people = Caller.of("people");
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    CompletableFuture<InstanceId> asked = new CompletableFuture<>();
    CompletableFuture<String> reminded = new CompletableFuture<>();
    try (Engine engine =
        Engine.builder(store)
            .callbackSecrets(Secret.of("callbacks-1", key))
            .notifications("people", channel(reminded))
            .activity(
                "ask-partner",
                context -> {
                  asked.complete(context.instance());
                  return ActivityResult.completed();
                })
            .start()) {
      engine.definitions().deploy(ONBOARDING, people);
      engine
          .instances()
          .start(StartRequest.of("onboarding").input(Map.of("name", "Ada")), people)
          .orThrow();

      InstanceId id = asked.join();
      String token = engine.callbacks().seal(new Token("default", id, "identity", true, null));
      told.accept("the partner is given a token of " + token.length() + " characters");
      told.accept("reminded: " + reminded.join());

      engine.callbacks().receive(token, "{\"result\":\"known\"}".getBytes(UTF_8), Map.of());
      Instance ended = engine.instances().awaitEnd(id, Duration.ofSeconds(30), people);
      told.accept("outcome: " + ended.variables().get("outcome"));
      told.accept("waits that ended: " + consumed(engine.instances().history(id, 1, 100, people)));
      return ended;
    }
  }

  private static Notification.Channel channel(CompletableFuture<String> reminded) {
    return new Notification.Channel() {
      @Override
      public void notifyUser(String user, Notification notification) {
        reminded.complete(user + ", " + notification.text());
      }

      @Override
      public void notifyRole(String role, Notification notification) {
        reminded.complete(role + ", " + notification.text());
      }
    };
  }

  private static List<Object> consumed(List<HistoryEntry> history) {
    return history.stream()
        .filter(entry -> entry.type() == HistoryEntry.Type.BOOKMARK_CONSUMED)
        .map(entry -> entry.detail().getOrDefault("kind", BookmarkKind.TIMER))
        .toList();
  }
}
