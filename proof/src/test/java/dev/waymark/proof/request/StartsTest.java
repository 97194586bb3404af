package dev.waymark.proof.request;

import static dev.waymark.proof.support.SmallFlow.ALICE;
import static dev.waymark.proof.support.SmallFlow.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.StartRequest;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be started, and what is refused. */
final class StartsTest {

  @Test
  void repeating_a_command_gives_its_first_outcome_and_another_body_is_refused() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      StartRequest request = StartRequest.of("flow").input(Map.of("n", 1));
      Caller named = ALICE.withCommandId("order-17");

      Answer first = kit.engine().instances().start(request, named);
      Answer again = kit.engine().instances().start(request, named);
      Answer other = kit.engine().instances().start(request.input(Map.of("n", 2)), named);

      assertThat(first).isEqualTo(new Answer.Done(first.instance(), 1));
      assertThat(again).isInstanceOf(Answer.Unchanged.class);
      assertThat(again.instance()).isEqualTo(first.instance());
      assertThat(other)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> assertThat(r.rejection().code()).isEqualTo(Rejection.Code.COMMAND_REUSED));

      var bookmark = kit.run(first.instance()).bookmark("ask").id();
      Caller click = ALICE.withCommandId("click-1");
      Answer done = kit.engine().bookmarks().resume(bookmark, Map.of("ok", true), click);
      Answer repeated = kit.engine().bookmarks().resume(bookmark, Map.of("ok", true), click);
      assertThat(done).isEqualTo(new Answer.Done(first.instance(), 2));
      assertThat(repeated)
          .isInstanceOfSatisfying(
              Answer.Unchanged.class, u -> assertThat(u.version()).isEqualTo(2));
    }
  }

  @Test
  void a_command_id_is_refused_for_another_business_key_although_its_run_would_have_another_id() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      StartRequest request = StartRequest.of("flow");
      Caller named = ALICE.withCommandId("order-17");

      Answer first = kit.engine().instances().start(request.businessKey("order-17"), named);
      Answer other = kit.engine().instances().start(request.businessKey("order-18"), named);

      assertThat(first.instance().bucket()).isEqualTo(InstanceId.bucketOf("default", "order-17"));
      assertThat(other)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> {
                assertThat(r.rejection().code()).isEqualTo(Rejection.Code.COMMAND_REUSED);
                assertThat(r.rejection().message()).contains(first.instance().toString());
              });
    }
  }

  @Test
  void a_business_key_is_unique_among_the_living() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      StartRequest request = StartRequest.of("flow").businessKey("invoice-7");
      Run first = kit.start(request);

      Answer second = kit.engine().instances().start(request, ALICE);
      assertThat(second)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> {
                assertThat(r.rejection().code()).isEqualTo(Rejection.Code.KEY_TAKEN);
                assertThat(r.rejection().message()).contains(first.id().toString());
              });

      first.resume("ask", Map.of());
      assertThat(kit.start(request)).isWaitingAt("ask");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_run_that_ends_at_once_needs_its_business_key_to_be_free(Stores stores) {
    try (var kit = stores.create().process(new VirtualClock(), builder -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait }\n"));
      kit.deploy(definition("end", "  end: { type: end }\n").replace("key: flow", "key: instant"));
      StartRequest instant = StartRequest.of("instant").businessKey("invoice-7");
      Run first = kit.start(StartRequest.of("flow").businessKey("invoice-7"));

      for (Caller caller : List.of(ALICE, ALICE.withCommandId("one"))) {
        assertThat(kit.engine().instances().start(instant, caller))
            .isInstanceOfSatisfying(
                Answer.Refused.class,
                r -> assertThat(r.rejection().code()).isEqualTo(Rejection.Code.KEY_TAKEN));
      }

      first.resume("ask", Map.of());
      assertThat(kit.start(instant)).isCompleted();
      assertThat(kit.start(instant)).isCompleted();
    }
  }

  @Test
  void bad_start_data_is_refused_with_pointers() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          input:
            type: object
            required: [amount]
            properties:
              amount: { type: number, minimum: 0 }
              lines: { type: array, items: { type: object, required: [sku] } }
          start: end
          activities:
            end: { type: end }
          """);

      Answer answer =
          kit.engine()
              .instances()
              .start(
                  StartRequest.of("flow")
                      .input(Map.of("amount", -1, "lines", List.of(Map.of("x", 1)))),
                  ALICE);

      assertThat(answer)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r ->
                  assertThat(r.rejection().violations())
                      .extracting(v -> v.pointer())
                      .containsExactlyInAnyOrder("/amount", "/lines/0/sku"));
    }
  }

  @Test
  void an_unknown_definition_is_refused_and_a_broken_one_not_deployed() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      assertThatThrownBy(() -> kit.start("nothing", Map.of()))
          .isInstanceOf(CommandRefused.class)
          .hasMessageContaining("'nothing'");
      StartRequest nothing = StartRequest.of("nothing");
      Caller anna = Caller.of("anna");
      assertThat(kit.engine().instances().start(nothing, anna)).isInstanceOf(Answer.Refused.class);
      assertThat(kit.engine().instances().startAsync(nothing, anna))
          .isCompletedWithValueMatching(answer -> answer instanceof Answer.Refused);
      Answer joined = kit.engine().inTransaction(work -> work.start(nothing, anna));
      assertThat(joined).isInstanceOf(Answer.Refused.class);
      assertThatThrownBy(() -> kit.deploy(definition("a", "  a: { type: nonsense, next: b }\n")))
          .isInstanceOf(InvalidDefinition.class)
          .hasMessageContaining("/activities/a/type")
          .hasMessageContaining("/activities/a/next");
    }
  }

  @Test
  void deploying_the_same_text_is_the_same_version() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      String text = definition("end", "  end: { type: end }\n");

      assertThat(kit.deploy(text).version()).isEqualTo(1);
      assertThat(kit.deploy(text).version()).isEqualTo(1);
      assertThat(kit.deploy(text + "# changed\n").version()).isEqualTo(2);
    }
  }

  @Test
  void a_refused_start_leaves_nothing_behind() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          input: { type: object, required: [n] }
          start: end
          activities:
            end: { type: end }
          """);

      assertThat(kit.engine().instances().start(StartRequest.of("flow"), ALICE))
          .isInstanceOf(Answer.Refused.class);
      kit.runUntilIdle();

      assertThat(kit.engine().load().instances()).isZero();
    }
  }
}
