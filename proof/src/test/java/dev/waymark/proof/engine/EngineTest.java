package dev.waymark.proof.engine;

import static dev.waymark.proof.support.SmallFlow.ALICE;
import static dev.waymark.proof.support.SmallFlow.definition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Resumption;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What one engine promises, told through its public face. */
final class EngineTest {

  @Test
  void a_definition_runs_to_its_end() {
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "greet",
                    c ->
                        ActivityResult.completed(
                            Map.of("greeting", "Hello " + c.variable("name", String.class)))))) {
      kit.deploy(definition("hello", "  hello: { type: greet }\n"));

      Run run = kit.start("flow", Map.of("name", "Ada"));

      assertThat(run).isCompleted().hasVariable("greeting", "Hello Ada").completed("hello");
    }
  }

  @Test
  void a_failing_activity_is_retried_at_its_time_and_then_waits_for_a_person() {
    AtomicInteger calls = new AtomicInteger();
    List<String> keys = new ArrayList<>();
    try (var kit =
        WorkflowTestKit.with(
            b ->
                b.activity(
                    "pay",
                    c -> {
                      keys.add(c.idempotencyKey());
                      if (calls.incrementAndGet() < 4) {
                        throw new IllegalStateException("bank is closed");
                      }
                      return ActivityResult.completed(Map.of("receipt", "r-1"));
                    }))) {
      kit.deploy(
          definition(
              "pay",
              "  pay: { type: pay, retry: { attempts: 3, backoff: PT10S, maxBackoff: PT1M, jitter:"
                  + " 0 } }\n"));

      Run run = kit.start("flow", Map.of());
      assertThat(calls).hasValue(1);
      kit.advance(Duration.ofSeconds(9));
      assertThat(calls).hasValue(1);
      kit.advance(Duration.ofSeconds(1));
      assertThat(calls).hasValue(2);
      kit.advance(Duration.ofSeconds(20));
      assertThat(calls).hasValue(3);
      assertThat(run).isSuspended().isWaitingAt("pay");
      assertThat(run.bookmark("pay").payload().get("error").toString()).contains("bank is closed");

      run.as("oscar").intervene(InterventionAction.RETRY_ACTIVITY, "the bank is open again");

      assertThat(run).isCompleted().hasVariable("receipt", "r-1");
      assertThat(keys).as("idempotency keys of all attempts").containsOnly(keys.get(0));
    }
  }

  @Test
  void a_timer_fires_at_its_time() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(
          definition(
              "remind",
              """
                remind: { type: timer, with: { after: PT1H }, next: end }
                end: { type: end }
              """));
      Run run = kit.start("flow", Map.of());

      kit.advance(Duration.ofMinutes(59));
      assertThat(run).isWaitingAt("remind");

      kit.advance(Duration.ofMinutes(1));
      assertThat(run).isCompleted();
    }
  }

  /** Asks somebody, and asks again until the answer is yes. */
  private static final class Ask implements Activity {
    @Override
    public ActivityResult execute(ActivityContext context) {
      return new ActivityResult.Suspended(
          List.of(ActivityResult.userAction("question", Map.of("asked", context.attempt()))),
          Map.of("pending", true),
          dev.waymark.core.step.Effects.NONE);
    }

    @Override
    public ActivityResult resume(ActivityContext context, Resumption resumption) {
      return "yes".equals(resumption.payload().get("answer"))
          ? ActivityResult.completed(Map.of("by", resumption.by(), "pending", false))
          : execute(context);
    }

    @Override
    public boolean waits() {
      return true;
    }
  }

  @Test
  void an_activity_waits_for_an_answer_and_may_ask_again() {
    try (var kit = WorkflowTestKit.with(b -> b.activity("ask", new Ask()))) {
      kit.deploy(definition("ask", "  ask: { type: ask }\n"));
      Run run = kit.start("flow", Map.of());
      assertThat(run).isWaitingAt("ask").hasVariable("pending", true);

      run.as("bob").resume("question", Map.of("answer", "no"));
      assertThat(run).isWaitingAt("ask");
      run.as("carol").resume("question", Map.of("answer", "yes"));

      assertThat(run).isCompleted().hasVariable("by", "carol").hasVariable("pending", false);
    }
  }

  @Test
  void a_second_click_is_told_who_was_first_and_when() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      Run run = kit.start("flow", Map.of());
      var bookmark = run.bookmark("ask").id();
      run.as("bob").resume("ask", Map.of("ok", true));

      Answer second =
          kit.engine().bookmarks().resume(bookmark, Map.of("ok", false), Caller.of("carol"));

      assertThat(second)
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> {
                assertThat(r.rejection().code()).isEqualTo(Rejection.Code.ALREADY_CLOSED);
                assertThat(r.rejection().message())
                    .contains("consumed by bob at " + kit.clock().instant());
              });
      assertThat(run).hasVariable("ok", true);
    }
  }

  @Test
  void a_held_run_starts_nothing_until_it_is_let_go() {
    try (var kit = WorkflowTestKit.with(b -> b.activity("work", c -> ActivityResult.completed()))) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: work }\n  work: { type: work }\n"));
      Run run = kit.start("flow", Map.of());
      run.as("oscar").suspend("audit");

      assertThat(run.resume("ask", Map.of()))
          .isInstanceOfSatisfying(
              Answer.Refused.class,
              r -> assertThat(r.rejection().message()).contains("oscar").contains("audit"));
      run.continueRun("done");
      run.resume("ask", Map.of());

      assertThat(run).isCompleted();
    }
  }

  @Test
  void cancel_ends_a_run_and_its_waits() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      Run run = kit.start("flow", Map.of());
      var bookmark = run.bookmark("ask").id();

      assertThat(run.cancel("not needed")).isInstanceOf(Answer.Done.class);
      assertThat(run.cancel("not needed")).isInstanceOf(Answer.Unchanged.class);

      assertThat(run).isCancelled();
      assertThat(kit.engine().bookmarks().resume(bookmark, Map.of(), ALICE))
          .isInstanceOf(Answer.Refused.class);
    }
  }

  @Test
  void an_instance_of_another_tenant_is_not_found() {
    try (var kit = WorkflowTestKit.with(b -> {})) {
      kit.deploy(definition("ask", "  ask: { type: wait, next: end }\n  end: { type: end }\n"));
      Run run = kit.start("flow", Map.of());
      var bookmark = run.bookmark("ask").id();
      Caller stranger =
          Caller.of(
              new dev.waymark.core.instance.Actor(
                  "mallory", "elsewhere", java.util.Set.of(), java.util.Set.of()));

      List<Answer> answers =
          List.of(
              kit.engine().bookmarks().resume(bookmark, Map.of(), stranger),
              kit.engine().operations().cancel(run.id(), "why not", stranger),
              kit.engine().operations().suspend(run.id(), "why not", stranger));
      assertThat(answers)
          .allSatisfy(
              answer ->
                  assertThat(((Answer.Refused) answer).rejection().code())
                      .isEqualTo(Rejection.Code.NOT_FOUND));
      assertThat(kit.engine().instances().find(run.id(), stranger)).isEmpty();
      assertThat(run).isWaitingAt("ask");
    }
  }

  @Test
  void step_by_step_nothing_runs_before_it_is_told_to() {
    try (var kit =
        WorkflowTestKit.with(
            b -> b.stepByStep().activity("work", c -> ActivityResult.completed()))) {
      kit.deploy(
          definition(
              "a",
              """
                a: { type: work, next: b }
                b: { type: work, next: ask }
                ask: { type: wait, next: c }
                c: { type: work }
              """));
      Run run = kit.start("flow", Map.of());
      assertThat(run.instance().activities().get(1L).state()).isEqualTo(State.READY);

      assertThat(kit.engine().instances().runStep(run.id(), ALICE)).isTrue();
      assertThat(run).isWaitingAt("b");
      kit.engine().instances().runUntilWaiting(run.id(), ALICE);
      assertThat(run).isWaitingAt("ask");
      assertThat(kit.engine().instances().runStep(run.id(), ALICE)).isFalse();

      run.resume("ask", Map.of());
      kit.engine().instances().runUntilWaiting(run.id(), ALICE);
      assertThat(run).isCompleted();
    }
  }
}
