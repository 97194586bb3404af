package dev.waymark.proof.message;

import static dev.waymark.proof.support.SmallFlow.ALICE;
import static dev.waymark.proof.support.SmallFlow.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages from outside and between instances. */
final class MessagesTest {

  @Test
  void a_message_that_comes_too_early_is_kept() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "first",
              """
                first: { type: wait, next: second }
                second: { type: wait, with: { for: external-message, key: paid }, next: end }
                end: { type: end }
              """));
      Run run = kit.start("flow", Map.of());

      boolean fresh =
          kit.engine().messages().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      boolean again =
          kit.engine().messages().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      kit.runUntilIdle();
      assertThat(run).isWaitingAt("first");
      run.resume("first", Map.of());

      assertThat(fresh).isTrue();
      assertThat(again).isFalse();
      assertThat(run).isCompleted().hasVariable("sum", 5);
    }
  }

  @Test
  void a_message_id_used_for_another_message_is_refused_and_brings_what_was_stored_first() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "listen",
              """
                listen: { type: wait, with: { for: external-message, key: paid }, next: end }
                end: { type: end }
              """));
      Run first = kit.start("flow", Map.of());
      Run second = kit.start("flow", Map.of());
      first.suspend("not yet");

      kit.engine().messages().send(first.id(), "paid", Map.of("sum", 1), "bank", "m-1", ALICE);
      assertThatThrownBy(
              () ->
                  kit.engine()
                      .messages()
                      .send(second.id(), "paid", Map.of("sum", 1), "bank", "m-1", ALICE))
          .isInstanceOf(CommandRefused.class);
      assertThatThrownBy(
              () ->
                  kit.engine()
                      .messages()
                      .send(first.id(), "paid", Map.of("sum", 2), "bank", "m-1", ALICE))
          .isInstanceOf(CommandRefused.class);
      kit.runUntilIdle();
      assertThat(second).isWaitingAt("listen");
      first.continueRun("go on");

      assertThat(first).isCompleted().hasVariable("sum", 1);
    }
  }

  @Test
  void an_instance_sends_a_message_to_another() {
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "tell",
                    c ->
                        ActivityResult.completed()
                            .sending(
                                dev.waymark.core.instance.InstanceId.parse(
                                    c.variable("to", String.class)),
                                "news",
                                Map.of("from", c.instance().toString()))))) {
      kit.deploy(
          definition(
              "listen",
              """
                listen: { type: wait, with: { for: external-message, key: news }, next: end }
                end: { type: end }
              """));
      kit.deploy("waymark: 1\nkey: teller\nstart: tell\nactivities:\n  tell: { type: tell }\n");
      Run listener = kit.start("flow", Map.of());

      Run teller = kit.start("teller", Map.of("to", listener.id().toString()));

      assertThat(teller).isCompleted();
      assertThat(listener).isCompleted().hasVariable("from", teller.id().toString());
    }
  }

  @Test
  void a_message_brought_twice_is_received_once_and_holds_nothing_up() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "split",
              """
                split: { type: fork, with: { branches: [a, b] } }
                a: { type: wait, with: { for: external-message, key: paid }, next: end }
                b: { type: wait, with: { for: external-message, key: paid }, next: end }
                end: { type: end }
              """));
      Run run = kit.start("flow", Map.of());

      kit.engine().messages().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      kit.engine().messages().send(run.id(), "paid", Map.of("sum", 5), "bank", "m-1", ALICE);
      kit.runUntilIdle();
      assertThat(run.instance().bookmarks()).hasSize(1);

      run.cancel("enough");
      assertThat(run).isCancelled();
    }
  }
}
