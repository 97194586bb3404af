package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Correction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same command id: asking twice is asking once, and asking for something else is refused. */
final class CommandNamesTest {

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: w
      activities:
        w: { type: wait, with: { for: external-message, key: go } }
      """;

  private static final Caller ANNA = Caller.of("anna");

  private static Map<String, Object> ordered(String first, String second) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(first, 1L);
    map.put(second, 1L);
    return map;
  }

  @ParameterizedTest
  @EnumSource
  void the_body_is_all_that_was_asked_for_and_not_its_spelling(Stores stores) {
    VirtualClock clock = new VirtualClock();
    try (WorkflowTestKit kit = WorkflowTestKit.on(stores.create().open(clock), clock, b -> {})) {
      kit.deploy(FLOW);
      var engine = kit.engine();
      Caller one = ANNA.withCommandId("k1");
      engine.instances().start(StartRequest.of("flow").label("priority", "low"), one).orThrow();
      assertThat(engine.instances().start(StartRequest.of("flow").label("priority", "high"), one))
          .as("other labels")
          .isInstanceOf(Answer.Refused.class);

      Caller two = ANNA.withCommandId("k2");
      InstanceId run =
          engine.instances().start(StartRequest.of("flow").input(ordered("a", "b")), two).orThrow();
      assertThat(engine.instances().start(StartRequest.of("flow").input(ordered("b", "a")), two))
          .as("another order of keys")
          .isInstanceOf(Answer.Unchanged.class);

      Caller three = ANNA.withCommandId("k3");
      engine
          .operations()
          .edit(run, new Correction.SetVariables(Map.of("x", "1, y=2"), List.of()), "r", three)
          .orThrow();
      assertThat(
              engine
                  .operations()
                  .edit(run, new Correction.SetVariables(ordered("x", "y"), List.of()), "r", three))
          .as("other values")
          .isInstanceOf(Answer.Refused.class);

      Caller four = ANNA.withCommandId("k4");
      engine.instances().start(StartRequest.of("flow").businessKey("null"), four).orThrow();
      assertThat(engine.instances().start(StartRequest.of("flow"), four))
          .as("no business key instead of 'null'")
          .isInstanceOf(Answer.Refused.class);
    }
  }
}
