package dev.waymark.testkit.engine;

import static dev.waymark.testkit.engine.ChildrenTest.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.InProcessQueue;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a broker brings: acknowledged when it is durable, and counted once. */
final class QueuesTest {

  private static final Caller ALICE = Caller.of("alice");

  private static final String ORDER =
      """
      waymark: 1
      key: order
      start: shipped
      activities:
        shipped:
          type: wait
          with: { for: external-message, key: shipment, correlate: "${ Variables.order }" }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final InProcessQueue queue = new InProcessQueue();
  private final Binding shipments =
      Binding.of("shipments", "default", "shipment", "order")
          .where(delivery -> !"test".equals(delivery.headers().get("kind")));

  private WorkflowTestKit kit(Store store) {
    WorkflowTestKit kit =
        WorkflowTestKit.on(store, clock, builder -> builder.queue(queue, shipments));
    kit.deploy(ORDER);
    return kit;
  }

  private void publish(String id, String order, String kind) {
    queue.publish("shipments", id, Map.of("kind", kind), Map.of("order", order));
  }

  @ParameterizedTest
  @EnumSource
  void what_a_queue_brings_reaches_the_run_it_is_for_and_is_then_acknowledged(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(store)) {
      InstanceId order =
          kit.engine()
              .start(StartRequest.of("order").input(Map.of("order", "o-1")), ALICE)
              .orThrow();
      kit.runUntilIdle();

      publish("m-1", "o-1", "test");
      assertThat(queue.size("shipments")).isZero();
      publish("m-2", "o-1", "real");
      assertThat(queue.size("shipments")).isEqualTo(1);
      kit.runUntilIdle();

      assertThat(queue.size("shipments")).isZero();
      assertThat(kit.run(order)).isCompleted();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_was_published_while_nobody_listened_or_delivered_twice_counts_once(Stores stores) {
    Store store = stores.create().open(clock);
    publish("m-1", "o-1", "real");
    try (WorkflowTestKit kit = kit(store)) {
      queue.redeliver("shipments");
      kit.runUntilIdle();
      assertThat(queue.size("shipments")).isZero();
      assertThat(kit.engine().messages().unmatched(null, 10, ALICE)).hasSize(1);
      publish("m-1", "o-1", "real");
      kit.runUntilIdle();
      assertThat(kit.engine().messages().unmatched(null, 10, ALICE)).hasSize(1);

      publish("m-2", "nothing that is an order", "real");
      queue.publish("shipments", "m-3", Map.of(), Map.of());
      kit.runUntilIdle();
      assertThat(queue.size("shipments")).isZero();
    }
  }
}
