package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A time-out that fails the run leaves a history without a fault. */
final class FailingTimeoutTest {

  @ParameterizedTest
  @EnumSource
  void the_checker_finds_nothing_in_a_run_that_a_timeout_failed(Stores stores) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: ask
          activities:
            ask: { type: wait, on: { timeout: { after: PT4H, fail: true } } }
          """);
      Run run = kit.start("flow", Map.of());

      kit.advance(Duration.ofHours(4));

      assertThat(run).isFailed();
      assertThat(store.checker().check(Checker.Options.atRest())).isEmpty();
    }
  }
}
