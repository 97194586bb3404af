package dev.waymark.proof.message;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.callback.CallbackRefused;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What partners send back: with which token, how often, and signed by whom. */
final class CallbacksTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final byte[] OLD_KEY = "an old key of thirty-two bytes..".getBytes(UTF_8);
  private static final byte[] NEW_KEY = "a new key of thirty-two bytes...".getBytes(UTF_8);
  private static final byte[] PARTNER = "the partner's key, also 32 bytes".getBytes(UTF_8);
  private static final byte[] YES = "{\"ok\":true}".getBytes(UTF_8);

  private static final String CHECK =
      """
      waymark: 1
      key: check
      start: answer
      activities:
        answer: { type: wait, with: { for: webhook, key: identity } }
      """;

  private final VirtualClock clock = new VirtualClock();

  private WorkflowTestKit kit(Store store) {
    WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder
                    .callbackSecrets(Secret.of("new", NEW_KEY), Secret.of("old", OLD_KEY))
                    .senderSecret(Secret.of("partner", PARTNER)));
    kit.deploy(CHECK);
    return kit;
  }

  private static InstanceId start(WorkflowTestKit kit) {
    InstanceId id = kit.engine().instances().start(StartRequest.of("check"), ALICE).orThrow();
    kit.runUntilIdle();
    return id;
  }

  private static Token token(InstanceId id, boolean once, @Nullable String signedBy) {
    return new Token("default", id, "identity", once, signedBy);
  }

  private static Status statusOf(WorkflowTestKit kit, InstanceId id) {
    kit.runUntilIdle();
    return kit.engine().instances().find(id, ALICE).orElseThrow().status();
  }

  @ParameterizedTest
  @EnumSource
  void who_has_the_token_moves_the_run_and_a_second_call_is_a_duplicate(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      String token = callbacks.seal(token(id, true, null));

      assertThat(callbacks.receive(token, YES, Map.of())).isTrue();
      assertThat(callbacks.receive(token, "{\"ok\":false}".getBytes(UTF_8), Map.of())).isFalse();

      assertThat(statusOf(kit, id)).isEqualTo(Status.COMPLETED);
      assertThat(kit.engine().instances().find(id, ALICE).orElseThrow().variables())
          .containsEntry("ok", true);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_callback_that_comes_before_its_wait_is_kept(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId id = InstanceId.derived("default", "c-1");
      Callbacks callbacks = kit.engine().callbacks();

      assertThat(callbacks.receive(callbacks.seal(token(id, true, null)), YES, Map.of())).isTrue();
      kit.engine()
          .instances()
          .start(StartRequest.of("check"), ALICE.withCommandId("c-1"))
          .orThrow();

      assertThat(statusOf(kit, id)).isEqualTo(Status.COMPLETED);
      assertSound(store);
    }
  }

  @Test
  void a_token_that_was_changed_or_sealed_by_another_is_refused() {
    try (WorkflowTestKit kit = kit(Stores.POSTGRES.create().open(clock))) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      String token = callbacks.seal(token(id, true, null));
      String other = token(id, true, null).seal(Secret.of("new", PARTNER));
      String changed = token.replaceFirst("\\.1\\.", ".n.");

      for (String wrong : new String[] {"", "x", other, changed, token + "A", token + ".x"}) {
        assertThatThrownBy(() -> callbacks.receive(wrong, YES, Map.of()))
            .isInstanceOfSatisfying(
                CallbackRefused.class,
                e -> assertThat(e.reason()).isEqualTo(CallbackRefused.Reason.TOKEN))
            .hasMessageNotContaining(id.toString());
      }
      assertThat(statusOf(kit, id)).isEqualTo(Status.RUNNING);
    }
  }

  @Test
  void a_token_sealed_with_the_key_before_is_still_good() {
    try (WorkflowTestKit kit = kit(Stores.POSTGRES.create().open(clock))) {
      InstanceId id = start(kit);
      String old = token(id, true, null).seal(Secret.of("old", OLD_KEY));

      assertThat(kit.engine().callbacks().receive(old, YES, Map.of())).isTrue();
      assertThat(statusOf(kit, id)).isEqualTo(Status.COMPLETED);
    }
  }

  @Test
  void a_token_for_many_uses_tells_repeats_by_the_senders_id_or_by_the_body() {
    try (WorkflowTestKit kit = kit(Stores.POSTGRES.create().open(clock))) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      String token = callbacks.seal(token(id, false, null));

      assertThat(callbacks.receive(token, YES, Map.of("Webhook-Id", "1"))).isTrue();
      assertThat(callbacks.receive(token, YES, Map.of("webhook-id", "1"))).isFalse();
      assertThat(callbacks.receive(token, YES, Map.of("webhook-id", "2"))).isTrue();
      assertThat(callbacks.receive(token, YES, Map.of())).isTrue();
      assertThat(callbacks.receive(token, YES, Map.of())).isFalse();
      String once = callbacks.seal(token(id, true, null));
      assertThat(callbacks.receive(token, YES, Map.of("webhook-id", "once"))).isTrue();
      assertThat(callbacks.receive(once, YES, Map.of())).isTrue();
      assertThat(callbacks.receive(once, YES, Map.of("webhook-id", "3"))).isFalse();
    }
  }

  @Test
  void headers_may_come_with_a_line_that_has_no_name() {
    try (WorkflowTestKit kit = kit(Stores.SQLITE.create().open(clock))) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      Map<String, String> headers = new HashMap<>(Map.of("webhook-id", "1"));
      headers.put(null, "HTTP/1.1 200 OK");

      assertThat(callbacks.receive(callbacks.seal(token(id, false, null)), YES, headers)).isTrue();
    }
  }

  @Test
  void what_must_be_signed_is_refused_unless_it_is_signed_now_by_the_right_one() throws Exception {
    try (WorkflowTestKit kit = kit(Stores.POSTGRES.create().open(clock))) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      String token = callbacks.seal(token(id, true, "partner"));
      Map<String, String> right = signed(PARTNER, 0);

      for (Map<String, String> wrong :
          List.of(
              Map.<String, String>of(),
              signed(NEW_KEY, 0),
              signed(PARTNER, 301),
              signed(PARTNER, -301))) {
        assertThatThrownBy(() -> callbacks.receive(token, YES, wrong))
            .isInstanceOfSatisfying(
                CallbackRefused.class,
                e -> assertThat(e.reason()).isEqualTo(CallbackRefused.Reason.SIGNATURE));
      }
      byte[] altered = "{\"ok\":false}".getBytes(UTF_8);
      assertThatThrownBy(() -> callbacks.receive(token, altered, right))
          .isInstanceOf(CallbackRefused.class);

      assertThat(callbacks.receive(token, YES, right)).isTrue();
      assertThat(statusOf(kit, id)).isEqualTo(Status.COMPLETED);
    }
  }

  // As a partner does it, with what the specification says and nothing of ours.
  private Map<String, String> signed(byte[] key, long secondsAgo) throws Exception {
    String time =
        Long.toString(clock.instant().minus(Duration.ofSeconds(secondsAgo)).getEpochSecond());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    byte[] signature =
        mac.doFinal(("msg_1." + time + "." + new String(YES, UTF_8)).getBytes(UTF_8));
    return Map.of(
        "webhook-id",
        "msg_1",
        "webhook-timestamp",
        time,
        "webhook-signature",
        "v1,AAAA v1," + Base64.getEncoder().encodeToString(signature));
  }

  @Test
  void a_body_that_is_no_object_is_refused_and_the_token_stays_good() {
    try (WorkflowTestKit kit = kit(Stores.POSTGRES.create().open(clock))) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      String token = callbacks.seal(token(id, true, null));

      assertThatThrownBy(() -> callbacks.receive(token, "[1]".getBytes(UTF_8), Map.of()))
          .isInstanceOf(CallbackRefused.class)
          .hasMessageContaining("Expected a JSON object");
      assertThatThrownBy(() -> callbacks.receive(token, new byte[300_000], Map.of()))
          .isInstanceOf(CallbackRefused.class)
          .hasMessageContaining("Expected at most");
      assertThat(callbacks.receive(token, new byte[0], Map.of())).isTrue();
      assertThat(statusOf(kit, id)).isEqualTo(Status.COMPLETED);
    }
  }

  @Test
  void secrets_are_long_enough_known_and_never_shown() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Secret.of("short", new byte[8]))
        .withMessageContaining("24 bytes or more");
    assertThat(Secret.of("new", NEW_KEY)).hasToString("Secret[new]");
    try (WorkflowTestKit kit = kit(Stores.POSTGRES.create().open(clock))) {
      InstanceId id = start(kit);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kit.engine().callbacks().seal(token(id, true, "nobody")))
          .withMessageContaining("'nobody'");
    }
  }
}
