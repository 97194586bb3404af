package dev.waymark.proof.message;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What partners say before they call back: it is shown, and moves nothing. */
final class ReportsTest extends ReportedWaits {

  private static final byte[] DONE = "{\"ok\":true}".getBytes(UTF_8);

  @ParameterizedTest
  @EnumSource
  void a_report_is_shown_on_the_wait_which_stays_open_and_its_token_good(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      String token = token(kit, id);
      Bookmark before = only(found(kit, id));

      assertThat(callbacks.report(token, saying("queued", 0), Map.of())).isTrue();
      clock.advance(Duration.ofSeconds(1));
      byte[] halfway =
          "{\"status\":\"checking\",\"progress\":50,\"message\":\"Two of four\"}".getBytes(UTF_8);
      assertThat(callbacks.report(token, halfway, Map.of())).isTrue();

      Bookmark after = only(found(kit, id));
      assertThat(after.id()).isEqualTo(before.id());
      assertThat(after.payload()).containsEntry("who", "Ann");
      assertThat(shown(after))
          .isEqualTo(
              Map.of(
                  "status", "checking",
                  "progress", 50L,
                  "message", "Two of four",
                  "at", clock.instant().toString(),
                  "by", "callback"));
      assertThat(kit.engine().bookmarks().look().find(after.id(), ALICE).orElseThrow().bookmark())
          .isEqualTo(after);
      assertThat(kit.engine().instances().explain(id, ALICE).orElseThrow().toText())
          .contains(
              "'answer' waits for callback 'identity', if Output.ok; callback said at %s: 'checking',"
                      .formatted(clock.instant())
                  + " 50 %, Two of four")
          .contains("engine.callbacks().seal(new Token(\"default\"");
      assertThat(reports(kit, id))
          .extracting(entry -> entry.detail().get("status"))
          .containsExactly("queued", "checking");

      assertThat(callbacks.receive(token, DONE, Map.of())).isTrue();
      assertThat(only(found(kit, id)).key()).isEqualTo("rest");
      assertThat(callbacks.receive(token, DONE, Map.of())).isFalse();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_report_counts_once_by_the_senders_id_or_by_its_body(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      String token = token(kit, id);

      assertThat(callbacks.report(token, saying("queued", 0), Map.of("webhook-id", "1"))).isTrue();
      assertThat(callbacks.report(token, saying("other", 9), Map.of("webhook-id", "1"))).isFalse();
      assertThat(callbacks.report(token, saying("queued", 0), Map.of())).isTrue();
      assertThat(callbacks.report(token, saying("queued", 0), Map.of())).isFalse();

      assertThat(shown(only(found(kit, id))).get("status")).isEqualTo("queued");
      assertThat(reports(kit, id)).hasSize(2);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_report_that_comes_before_its_wait_is_kept_and_shown_then(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId id = InstanceId.derived("default", "c-1");

      assertThat(kit.engine().callbacks().report(token(kit, id), saying("queued", 0), Map.of()))
          .isTrue();
      kit.runUntilIdle();
      kit.engine()
          .instances()
          .start(StartRequest.of("check"), ALICE.withCommandId("c-1"))
          .orThrow();

      Bookmark wait = only(found(kit, id));
      assertThat(wait.key()).isEqualTo(Message.hook("identity"));
      assertThat(shown(wait).get("status")).isEqualTo("queued");
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_came_between_two_waits_of_one_name_is_shown_as_from_before(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      kit.deploy(
          """
          waymark: 1
          key: rounds
          start: answer
          activities:
            answer: { type: wait, with: { for: webhook, key: identity }, next: pause }
            pause: { type: timer, with: { after: PT1H }, next: answer }
          """);
      InstanceId id = kit.engine().instances().start(StartRequest.of("rounds"), ALICE).orThrow();
      kit.runUntilIdle();
      Callbacks callbacks = kit.engine().callbacks();
      String token = callbacks.seal(new Token("default", id, "identity", false, null));
      assertThat(callbacks.receive(token, DONE, Map.of())).isTrue();
      kit.runUntilIdle();

      assertThat(callbacks.report(token, saying("checking", 90), Map.of())).isTrue();
      Instant said = clock.instant();
      kit.advance(Duration.ofHours(1));
      assertThat(kit.engine().instances().explain(id, ALICE).orElseThrow().toText())
          .contains("callback said at %s, before this wait began: 'checking'".formatted(said));

      assertThat(callbacks.report(token, saying("checking", 10), Map.of())).isTrue();
      kit.runUntilIdle();
      assertThat(kit.engine().instances().explain(id, ALICE).orElseThrow().toText())
          .contains("callback said at %s: 'checking', 10 %%".formatted(clock.instant()));
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_report_after_the_answer_does_nothing_and_does_not_lie_there_for_ever(Stores stores) {
    Stores.Place place = stores.create();
    InstanceId id;
    Store first = place.open(clock);
    try (WorkflowTestKit kit = kit(first)) {
      id = start(kit);
      String token = token(kit, id);
      assertThat(kit.engine().callbacks().receive(token, DONE, Map.of())).isTrue();
      Instance answered = found(kit, id);

      assertThat(kit.engine().callbacks().report(token, saying("queued", 0), Map.of())).isTrue();

      assertThat(found(kit, id)).isEqualTo(answered);
      assertThat(reports(kit, id)).isEmpty();
      assertThat(first.inbox().waitingFor(Actor.DEFAULT_TENANT, id, Inbox.Place.START, 10))
          .hasSize(1);
      clock.advance(Limits.REPORT_KEPT);
    }
    // Whoever starts takes the full look.
    try (WorkflowTestKit next = kit(place.open(clock))) {
      next.runUntilIdle();
    }
    try (Store store = place.open(clock)) {
      assertThat(store.inbox().waitingFor(Actor.DEFAULT_TENANT, id, Inbox.Place.START, 10))
          .isEmpty();
      assertSound(store);
    }
  }

  @Test
  void a_run_that_is_held_is_told_when_it_goes_on() {
    try (WorkflowTestKit kit = kit(Stores.SQLITE.create().open(clock))) {
      InstanceId id = start(kit);
      kit.engine().operations().suspend(id, "lunch", ALICE).orThrow();

      kit.engine().callbacks().report(token(kit, id), saying("queued", 0), Map.of());
      assertThat(shown(only(found(kit, id)))).isEmpty();

      kit.engine().operations().continueInstance(id, "back", ALICE).orThrow();
      assertThat(shown(only(found(kit, id))).get("status")).isEqualTo("queued");
      assertThat(found(kit, id).status()).isEqualTo(Status.RUNNING);
    }
  }
}
