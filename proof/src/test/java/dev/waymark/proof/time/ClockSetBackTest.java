package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoredDefinitions.Text;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Definitions after a clock that was fast has been put right. */
final class ClockSetBackTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final String TENANT = ANNA.actor().tenant();

  private final VirtualClock clock = new VirtualClock();

  private static String flow(String key, String more, String description) {
    return """
    waymark: 1
    key: %s
    %s
    start: ask
    activities:
      ask: { type: wait, description: %s }
    """
        .formatted(key, more, description);
  }

  private static String order(String description) {
    return flow("order", "name: Order", description);
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

  @ParameterizedTest
  @EnumSource
  void a_node_whose_clock_was_set_back_sees_what_another_node_deploys(Stores stores) {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofHours(1));
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store, clock, builder -> builder.clock(() -> clock.instant().plus(ahead.get())))) {
      Engine engine = kit.engine();
      kit.deploy(order("one"));
      assertThat(versionOfNewRun(kit)).isEqualTo(1);
      engine.messages().correlate(Correlated.of("go", "1", Map.of(), "test", "1"), ANNA);

      ahead.set(Duration.ZERO);
      asAnotherNode(store, new Text(TENANT, "order", "f2", order("two"), List.of()));
      asAnotherNode(
          store,
          new Text(TENANT, "begun", "f1", flow("begun", "startOn: go", "one"), List.of("go")));
      kit.advance(Duration.ofSeconds(2));
      engine.messages().correlate(Correlated.of("go", "2", Map.of(), "test", "2"), ANNA);
      kit.runUntilIdle();

      assertThat(versionOfNewRun(kit)).isEqualTo(2);
      List<Instance> begun =
          engine.instances().list(InstanceQuery.ALL.withDefinition("begun"), ANNA);
      assertThat(begun).isNotEmpty();
    }
  }

  private static int versionOfNewRun(WorkflowTestKit kit) {
    InstanceId run = kit.start("order", Map.of()).id();
    return kit.engine().definitions().of(run, ANNA).orElseThrow().version();
  }

  private static void asAnotherNode(Store store, Text text) {
    var unused = store.definitions().deploy(text, "bob", true);
  }
}
