package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Mistakes of those who write tests with the kit: each is told for what it is. */
final class KitTest {

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: a
      activities:
        a: { type: set, with: { x: 5 }, next: [ { when: "Variables.x > 9", to: b }, { to: c } ] }
        b: { type: set, with: { y: 1 } }
        c: { type: wait }
      """;

  private static final String BUSY =
      """
      waymark: 1
      key: busy
      start: a
      activities:
        a: { type: body, retry: { attempts: 1 } }
      """;

  private static WorkflowTestKit kit() {
    WorkflowTestKit kit = WorkflowTestKit.with(builder -> {});
    kit.deploy(FLOW);
    return kit;
  }

  @Test
  void an_activity_that_the_definition_does_not_have_proves_nothing_by_not_being_visited() {
    try (WorkflowTestKit kit = kit()) {
      Run run = kit.start("flow", Map.of());

      assertThat(run).neverVisited("b");
      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> assertThat(run).neverVisited("typo"))
          .withMessageContaining("it has no 'typo', only [a, b, c]");
      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> assertThat(run).neverVisited("a"))
          .withMessageContaining("Expected the run never to visit 'a', but it did");
    }
  }

  @Test
  void a_variable_that_differs_or_is_not_there_is_told_in_a_sentence() {
    try (WorkflowTestKit kit = kit()) {
      Run run = kit.start("flow", Map.of());

      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> assertThat(run).hasVariable("x", 1))
          .withMessageContaining("Expected the run to have variable 'x' as 1, but it has 5");
      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> assertThat(run).hasVariable("z", 1))
          .withMessageContaining("Expected the run to have variable 'z' as 1, but it has none");
    }
  }

  @Test
  void a_run_that_there_is_not_is_named() {
    InstanceId unknown = new InstanceId(new UUID(1, 2));
    try (WorkflowTestKit kit = kit()) {
      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> kit.run(unknown).status())
          .withMessage("Expected a run of tenant 'default' with id %s, but there is none", unknown);
    }
  }

  @Test
  void time_does_not_move_in_a_kit_that_is_closed() {
    WorkflowTestKit kit = kit();
    kit.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> kit.advance(Duration.ofHours(1)))
        .withMessage("Expected an open kit, but it is closed");
  }

  @Test
  void another_thread_that_comes_while_one_uses_the_kit_is_told_whose_it_is() {
    CompletableFuture<WorkflowTestKit> made = new CompletableFuture<>();
    try (WorkflowTestKit kit =
        WorkflowTestKit.with(
            builder ->
                builder.activity(
                    "body",
                    context -> {
                      // While this runs the kit is in use, so another thread comes at a bad time.
                      WorkflowTestKit shared = made.join();
                      CompletableFuture.runAsync(() -> shared.start("flow", Map.of())).join();
                      return ActivityResult.completed(Map.of());
                    }))) {
      made.complete(kit);
      kit.deploy(FLOW);
      kit.deploy(BUSY);

      Run run = kit.start("busy", Map.of());

      assertThat(run).isSuspended();
      assertThat(run.instance().activities().values().toString())
          .contains("this kit belongs to thread '" + Thread.currentThread().getName() + "' now");
    }
  }
}
