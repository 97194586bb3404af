package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Status;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait that is over when it begins is none: a loop over it is parked, and does not spin. */
final class SpinningWaitsTest {

  private final VirtualClock clock = new VirtualClock();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "  w: { type: timer, with: { after: PT0S }, next: w }",
        "  w: { type: timer, with: { until: '${ Variables.past }' }, next: w }",
        "  w: { type: wait, with: { expires: PT0S }, next: w }",
        "  w: { type: race, with: { waits: { t: { after: PT0S, to: w }, m: { for: external-message,"
            + " to: e } } } }\n"
            + "  e: { type: end }"
      })
  void a_loop_over_a_wait_that_does_not_wait_is_parked(String activities) {
    for (Stores stores : Stores.values()) {
      try (WorkflowTestKit kit =
          WorkflowTestKit.on(stores.create().open(clock), clock, builder -> {})) {
        kit.deploy("waymark: 1\nkey: spin\nstart: w\nactivities:\n" + activities + "\n");

        Run run = kit.start("spin", Map.of("past", "2020-01-01T00:00:00Z"));

        assertThat(run.status()).isEqualTo(Status.SUSPENDED);
        assertThat(run.instance().activities().values())
            .extracting(ActivityInstance::fault)
            .extracting(Fault::code)
            .containsExactly(Fault.TOO_MANY_VISITS);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1S", "PT0.001S"})
  void a_loop_over_a_wait_that_waits_goes_on(String duration) {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      kit.deploy(
          "waymark: 1\nkey: poll\nstart: w\nactivities:\n"
              + "  w: { type: timer, with: { after: %s }, next: w }\n".formatted(duration));
      Run run = kit.start("poll", Map.of());

      for (int i = 0; i < 300; i++) {
        kit.advance(Duration.parse(duration));
      }

      assertThat(run.status()).isEqualTo(Status.RUNNING);
      assertThat(run.instance().version()).isGreaterThan(290);
    }
  }
}
