package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.activity.Activity;
import dev.waymark.proof.log.Logged;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/** What the log says about a body that throws. */
final class FailuresInTheLogTest {

  private static final String BODY_CALL = "dev.waymark.engine.internal.body.BodyCall";
  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: pay
      activities:
        pay: { type: pay, retry: { attempts: 3, backoff: PT1S, jitter: 0 } }
      """;

  private final List<Map<String, String>> contexts = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();

  @AfterEach
  void forgetContext() {
    MDC.clear();
  }

  private List<Logged> linesOf(Activity pay) throws Exception {
    MDC.put("mine", "kept");
    return Logged.during(
        BODY_CALL,
        () -> {
          try (WorkflowTestKit kit =
              WorkflowTestKit.with(
                  builder ->
                      builder.activity(
                          "pay",
                          context -> {
                            contexts.add(MDC.getCopyOfContextMap());
                            return pay.execute(context);
                          }))) {
            kit.deploy(FLOW);
            runs.add(kit.start("flow", Map.of()));
            kit.advance(Duration.ofMinutes(1));
            assertThat(runs.get(0)).isSuspended();
          }
        });
  }

  private Map<String, String> keys(int attempt) {
    return Map.of(
        "mine", "kept",
        "waymark.instance", runs.get(0).id().toString(),
        "waymark.activity", "pay",
        "waymark.visit", "1",
        "waymark.attempt", String.valueOf(attempt));
  }

  @Test
  void each_attempt_that_throws_is_a_warning_and_the_last_one_has_the_trace() throws Exception {
    IllegalStateException away = new IllegalStateException("the bank is away");
    List<Logged> lines =
        linesOf(
            context -> {
              throw away;
            });

    assertThat(lines).hasSize(3).allMatch(line -> line.level() == Level.WARN);
    for (int attempt = 1; attempt <= 3; attempt++) {
      Logged line = lines.get(attempt - 1);
      assertThat(line.message())
          .isEqualTo(
              "Instance %s: 'pay' failed (visit 1, attempt %d): %s"
                  .formatted(runs.get(0).id(), attempt, away));
      assertThat(line.thrown()).isEqualTo(attempt == 3 ? away : null);
      assertThat(line.context()).isEqualTo(keys(attempt));
    }
  }

  @Test
  void an_error_is_an_error_with_its_trace_at_every_attempt() throws Exception {
    List<Logged> lines =
        linesOf(
            context -> {
              throw new StackOverflowError("too deep");
            });

    assertThat(lines)
        .hasSize(3)
        .allMatch(line -> line.level() == Level.ERROR)
        .allMatch(line -> line.thrown() instanceof StackOverflowError);
  }

  @Test
  void a_body_runs_with_its_ids_in_the_context_and_leaves_the_context_as_it_was() throws Exception {
    linesOf(
        context -> {
          MDC.put("left", "behind");
          throw new IllegalStateException("no");
        });

    assertThat(contexts).containsExactly(keys(1), keys(2), keys(3));
    assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("mine", "kept"));
  }
}
