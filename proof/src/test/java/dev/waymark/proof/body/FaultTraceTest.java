package dev.waymark.proof.body;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The trace of an exception that an activity has thrown, on both stores. */
final class FaultTraceTest {

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: call
      activities:
        call: { type: call, retry: { attempts: 1 } }
      """;

  @ParameterizedTest
  @EnumSource
  void the_whole_chain_of_causes_is_kept_with_the_fault_and_in_history(Stores stores) {
    try (WorkflowTestKit kit = failing(stores)) {
      kit.deploy(FLOW);

      Run run = kit.start("flow", Map.of());

      assertThat(run).isSuspended();
      Fault fault =
          requireNonNull(run.instance().activities().values().iterator().next().fault(), "fault");
      assertThat(fault.code()).isEqualTo("RuntimeException");
      assertThat(fault.trace())
          .startsWith("java.lang.RuntimeException: the bank is away\n  at ")
          .contains("FaultTraceTest")
          .contains("Caused by: java.io.IOException: connection \uFFFD reset\n  at ");
      assertThat(run.history())
          .filteredOn(entry -> entry.type() == HistoryEntry.Type.ACTIVITY_PARKED)
          .singleElement()
          .satisfies(entry -> assertThat(entry.detail()).containsEntry("trace", fault.trace()));
    }
  }

  private static WorkflowTestKit failing(Stores stores) {
    return stores
        .create()
        .process(
            new VirtualClock(),
            builder ->
                builder.activity(
                    "call",
                    context -> {
                      throw new RuntimeException(
                          "the bank is away", new java.io.IOException("connection \u0000 reset"));
                    }));
  }
}
