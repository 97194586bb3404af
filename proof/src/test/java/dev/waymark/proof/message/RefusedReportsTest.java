package dev.waymark.proof.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.engine.callback.CallbackRefused;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports that are refused, each with the reason. */
final class RefusedReportsTest extends ReportedWaits {

  @Test
  void who_has_no_token_or_does_not_sign_reports_nothing() {
    try (WorkflowTestKit kit = kit(Stores.POSTGRES.create().open(clock))) {
      InstanceId id = start(kit);
      Callbacks callbacks = kit.engine().callbacks();
      Token signed = new Token("default", id, "identity", true, "partner");
      String forged = signed.seal(Secret.of("ours", PARTNER));

      assertRefused(callbacks, forged, saying("x", 1), CallbackRefused.Reason.TOKEN);
      assertRefused(
          callbacks, callbacks.seal(signed), saying("x", 1), CallbackRefused.Reason.SIGNATURE);
      assertThat(shown(only(found(kit, id)))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"status\":7}",
        "{\"status\":\"\"}",
        "{\"status\":\"x\",\"progress\":130}",
        "{\"status\":\"x\",\"progress\":-1}",
        "{\"status\":\"x\",\"progress\":0.5}",
        "{\"status\":\"x\",\"progress\":\"half\"}",
        "{\"status\":\"x\",\"message\":[]}",
        "{\"status\":\"x\",\"percent\":1}",
        "[]"
      })
  void what_is_no_report_is_refused_with_the_reason(String body) {
    try (WorkflowTestKit kit = kit(Stores.SQLITE.create().open(clock))) {
      InstanceId id = start(kit);
      assertRefused(
          kit.engine().callbacks(),
          token(kit, id),
          body.getBytes(UTF_8),
          CallbackRefused.Reason.BODY);
      assertThat(reports(kit, id)).isEmpty();
    }
  }

  @Test
  void a_report_of_any_length_is_not_taken() {
    String longer = "m".repeat(Limits.COMMENT_CHARS + 1);
    assertThatThrownBy(() -> new StatusUpdate("x", null, longer))
        .hasMessage("Expected 'message' to have at most 4000 characters, but it has 4001");
    assertThatThrownBy(() -> new StatusUpdate("s".repeat(Limits.NAME_BYTES + 1), 1, null))
        .hasMessageStartingWith("Expected a status of at most 512 bytes");
  }

  private static void assertRefused(
      Callbacks callbacks, String token, byte[] body, CallbackRefused.@Nullable Reason reason) {
    assertThatThrownBy(() -> callbacks.report(token, body, Map.of()))
        .isInstanceOfSatisfying(
            CallbackRefused.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageStartingWith("Expected ");
  }
}
