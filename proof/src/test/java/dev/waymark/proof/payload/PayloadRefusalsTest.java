package dev.waymark.proof.payload;

import static dev.waymark.proof.payload.Contents.count;
import static dev.waymark.proof.payload.PayloadScenes.ANNA;
import static dev.waymark.proof.payload.PayloadScenes.DAY;
import static dev.waymark.proof.payload.PayloadScenes.FLOW;
import static dev.waymark.proof.payload.PayloadScenes.GONE;
import static dev.waymark.proof.payload.PayloadScenes.STRANGER;
import static dev.waymark.proof.payload.PayloadScenes.assertSound;
import static dev.waymark.proof.payload.PayloadScenes.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.Limits;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** References that come in and name nothing are refused with their place. */
final class PayloadRefusalsTest {

  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @EnumSource
  void requests_with_references_that_name_nothing_are_refused(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      Engine engine = kit.engine();
      Run run = kit.start("flow", Map.of());
      PayloadReference real = put(kit, "real");
      PayloadReference longer = new PayloadReference(real.sha256(), 9, "text/plain");

      StartRequest start = StartRequest.of("flow").input(Map.of("a/b", List.of(real, GONE)));
      assertThat(refusal(engine.instances().start(start, ANNA)).message())
          .isEqualTo(
              "/a~1b/1: Expected payload sha256:%s of 4 bytes to be stored, but there is none: put it first, and it is kept while a run uses it"
                  .formatted("0".repeat(64)));
      assertThat(refusal(engine.instances().startAsync(start, ANNA).join()).code())
          .isEqualTo(Code.PAYLOAD_MISSING);
      assertThat(refusal(run.resume("ask", Map.of("scan", longer))).message())
          .contains("/scan: ", "of 9 bytes", "but it has 4 bytes");
      assertThat(
              refusal(
                      engine
                          .operations()
                          .edit(
                              run.id(),
                              new Correction.SetVariables(
                                  Map.of("x", GONE.toDocument()), List.of()),
                              "why",
                              ANNA))
                  .code())
          .isEqualTo(Code.PAYLOAD_MISSING);
      assertThat(refusal(engine.inTransaction(joined -> joined.start(start, ANNA))).code())
          .isEqualTo(Code.PAYLOAD_MISSING);
      assertRefused(
          () ->
              engine
                  .messages()
                  .correlate(Correlated.of("told", "42", Map.of("x", GONE), "shop", "1"), ANNA));
      assertRefused(
          () -> engine.messages().send(run.id(), "told", Map.of("x", GONE), "shop", "1", ANNA));
      assertRefused(() -> engine.messages().signal("s", Map.of("x", GONE), "shop", "1", ANNA));
      assertRefused(
          () ->
              engine.inTransaction(
                  joined -> joined.send(run.id(), "told", Map.of("x", GONE), "shop", "1", ANNA)));
      assertThat(run).isWaitingAt("ask");
      assertThat(count(store, "wm_inbox")).isZero();
      assertThat(count(store, "wm_payload_use")).isZero();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void references_of_another_tenant_name_nothing(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      var unused = kit.engine().definitions().deploy(FLOW, STRANGER);
      StartRequest start = StartRequest.of("flow").input(Map.of("scan", put(kit, "ours")));

      assertThat(refusal(kit.engine().instances().start(start, STRANGER)).code())
          .isEqualTo(Code.PAYLOAD_MISSING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_is_no_whole_reference_is_refused_with_its_place(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      for (Map<String, Object> unfit :
          List.<Map<String, Object>>of(
              Map.of("$payload", 1),
              Map.of("$payload", "sha256:" + "0".repeat(64)),
              Map.of("$payload", "md5:" + "0".repeat(64), "size", 1, "mediaType", "a/b"),
              Map.of("$payload", "sha256:" + "0".repeat(64), "size", 1.5, "mediaType", "a/b"),
              Map.of(
                  "$payload", "sha256:" + "0".repeat(64), "size", 1, "mediaType", "a/b", "x", 1))) {
        Rejection refusal =
            refusal(
                kit.engine()
                    .instances()
                    .start(StartRequest.of("flow").input(Map.of("in", Map.of("it", unfit))), ANNA));

        assertThat(refusal.code()).isEqualTo(Code.BAD_INPUT);
        assertThat(refusal.message())
            .startsWith("/in/it: Expected a reference {\"$payload\": \"sha256:…\"");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_request_names_a_thousand_payloads_and_no_more(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      kit.deploy(FLOW);
      List<PayloadReference> most = new ArrayList<>();
      for (int n = 0; n < Limits.PAYLOAD_REFERENCES; n++) {
        most.add(put(kit, "content " + n));
      }
      StartRequest start = StartRequest.of("flow").input(Map.of("all", most));
      assertThat(kit.engine().instances().start(start, ANNA)).isInstanceOf(Answer.Done.class);

      most.add(put(kit, "one more"));
      StartRequest more = StartRequest.of("flow").input(Map.of("all", most));
      assertThat(refusal(kit.engine().instances().start(more, ANNA)).message())
          .isEqualTo("Expected at most 1,000 payloads in one request, but got 1,001");
    }
  }

  @Test
  void a_media_type_has_255_characters_and_no_more() {
    String longest = "a/" + "b".repeat(Limits.MEDIA_TYPE_CHARS - 2);
    String hash = "0".repeat(64);
    assertThat(new PayloadReference(hash, 1, longest).mediaType()).isEqualTo(longest);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PayloadReference(hash, 1, longest + "b"))
        .withMessageContaining("255");
  }

  @ParameterizedTest
  @EnumSource
  void a_schedule_keeps_no_payloads(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, PayloadScenes::setUp)) {
      StartRequest start = StartRequest.of("flow").input(Map.of("scan", put(kit, "a scan")));

      assertThatIllegalArgumentException()
          .isThrownBy(() -> Schedule.every("daily", DAY, start))
          .withMessageContaining("let the run fetch its content");
    }
  }

  private static Rejection refusal(Answer answer) {
    return answer instanceof Answer.Refused refused
        ? refused.rejection()
        : Rejection.of(Code.WRONG_STATE, "not refused: " + answer);
  }

  private interface Sending {
    Object send();
  }

  private static void assertRefused(Sending sending) {
    assertThatExceptionOfType(CommandRefused.class)
        .isThrownBy(sending::send)
        .satisfies(e -> assertThat(e.rejection().code()).isEqualTo(Code.PAYLOAD_MISSING));
  }
}
