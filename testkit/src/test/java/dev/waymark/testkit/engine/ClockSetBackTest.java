package dev.waymark.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Definitions after a clock that was fast has been put right. */
final class ClockSetBackTest {

  private static final Caller ANNA = Caller.of("anna");

  private final VirtualClock clock = new VirtualClock();

  private static String order(String description) {
    return """
    waymark: 1
    key: order
    start: ask
    activities:
      ask: { type: wait, description: %s }
    """
        .formatted(description);
  }

  @ParameterizedTest
  @EnumSource
  void deploy_and_activate_win_over_what_was_activated_on_a_fast_clock(Stores stores) {
    Stores.Place place = stores.create();
    VirtualClock fast = new VirtualClock(clock.instant().plus(Duration.ofHours(1)));
    try (WorkflowTestKit ahead = place.process(fast, builder -> {})) {
      ahead.deploy(order("one"));
    }
    try (WorkflowTestKit kit = place.process(clock, builder -> {})) {
      kit.deploy(order("two"));
      assertThat(versionOfNewRun(kit)).isEqualTo(2);

      kit.engine().definitions().activate("order", 1, ANNA);
      assertThat(versionOfNewRun(kit)).isEqualTo(1);
    }
  }

  private static int versionOfNewRun(WorkflowTestKit kit) {
    InstanceId run = kit.start("order", Map.of()).id();
    return kit.engine().definitions().of(run, ANNA).orElseThrow().version();
  }
}
