package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Notification;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Notifications are written with the step that says them, and delivered to a channel. */
final class NotificationsTest {

  private static final String TELLS =
      """
      waymark: 1
      key: tells
      start: tell
      activities:
        tell:
          type: emit
          with:
            type: notification
            data: { to: ["user:bob", "role:admin"], priority: high, text: "Look at ${ Variables.n }" }
      """;

  private final VirtualClock clock = new VirtualClock();

  /** Remembers what it was told, and fails the first time. */
  private static final class Told implements Notification.Channel {
    private final List<String> all = new ArrayList<>();
    private boolean failed;

    @Override
    public void notifyUser(String user, Notification notification) {
      all.add("user " + user + ": " + notification.priority() + " " + notification.text());
    }

    @Override
    public void notifyRole(String role, Notification notification) {
      if (!failed) {
        failed = true;
        throw new IllegalStateException("out of paper");
      }
      all.add("role " + role + ": " + notification.priority() + " " + notification.text());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_notification_reaches_users_and_roles_at_least_once(Stores stores) {
    Store store = stores.create().open(clock);
    Told told = new Told();
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(store, clock, builder -> builder.notifications("people", told))) {
      kit.deploy(TELLS);
      kit.engine()
          .instances()
          .start(StartRequest.of("tells").input(Map.of("n", 7)), Caller.of("alice"))
          .orThrow();
      kit.runUntilIdle();
      kit.advance(java.time.Duration.ofSeconds(5));

      assertThat(told.all)
          .containsExactly(
              "user bob: HIGH Look at 7", "user bob: HIGH Look at 7", "role admin: HIGH Look at 7");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "low, LOW",
    "normal, NORMAL",
    "High, HIGH",
    "urgent, URGENT",
    "frantic, NORMAL",
    "-1, LOW",
    "0, NORMAL",
    "1, HIGH",
    "49, HIGH",
    "50, URGENT",
    "100, URGENT"
  })
  void a_priority_is_a_word_or_the_number_of_a_wait(String said, String priority) {
    Told told = new Told();
    try (WorkflowTestKit kit =
        WorkflowTestKit.with(builder -> builder.notifications("people", told))) {
      kit.deploy(
          """
          waymark: 1
          key: tells
          start: tell
          activities:
            tell:
              type: emit
              with: { type: notification, data: { to: "user:bob", priority: %s, text: Look } }
          """
              .formatted(said));
      kit.start("tells", Map.of());
      kit.advance(java.time.Duration.ofSeconds(1));

      assertThat(told.all).containsExactly("user bob: " + priority + " Look");
    }
  }
}
