package dev.waymark.proof.message;

import static dev.waymark.proof.message.ChildrenTest.assertSound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.Delivery;
import dev.waymark.engine.queue.InProcessQueue;
import dev.waymark.engine.queue.MessageQueue;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
              .instances()
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

  @ParameterizedTest
  @EnumSource
  void a_message_over_which_the_applications_filter_fails_is_left_to_the_queue(Stores stores) {
    Binding strict = shipments.where(delivery -> Integer.parseInt("no number") > 0);
    Binding keyed =
        new Binding(
            "returns",
            "default",
            "shipment",
            delivery -> true,
            delivery -> String.valueOf(Integer.parseInt("no number")));
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            stores.create().open(clock),
            clock,
            builder -> builder.queue(queue, strict).queue(queue, keyed))) {
      publish("m-1", "o-1", "real");
      queue.publish("returns", "m-2", Map.of(), Map.of("order", "o-1"));
      kit.runUntilIdle();

      assertThat(queue.size("shipments")).isEqualTo(1);
      assertThat(queue.size("returns")).isEqualTo(1);
    }
  }

  /** As a broker sees a process: its subscription ends with its connection. */
  private static final class Connection implements MessageQueue {
    private final MessageQueue broker;
    private AutoCloseable subscription = () -> {};

    Connection(MessageQueue broker) {
      this.broker = broker;
    }

    @Override
    public AutoCloseable subscribe(String name, Consumer<Delivery> consumer) {
      subscription = broker.subscribe(name, consumer);
      return subscription;
    }

    void cut() throws Exception {
      subscription.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_process_died_over_before_it_acknowledged_comes_again_and_counts_once(Stores stores)
      throws Exception {
    Stores.Place place = stores.create();
    Store first = place.open(clock);
    Connection connection = new Connection(queue);
    WorkflowTestKit dying =
        WorkflowTestKit.on(
            first,
            clock,
            builder ->
                builder
                    .queue(connection, shipments)
                    .crashPoints(
                        point -> {
                          if (point == Point.I1_MESSAGE_STORED) {
                            throw new IllegalStateException("died on purpose");
                          }
                        }));
    dying.deploy(ORDER);
    publish("m-1", "o-1", "real");
    assertThatThrownBy(dying::runUntilIdle).hasMessage("died on purpose");
    assertThat(queue.size("shipments")).isEqualTo(1);
    connection.cut();
    first.close();

    Store next = place.open(clock);
    try (WorkflowTestKit kit = kit(next)) {
      kit.runUntilIdle();
      assertThat(queue.size("shipments")).isZero();
      assertThat(kit.engine().messages().unmatched(null, 10, ALICE)).hasSize(1);
      assertSound(next);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_the_database_does_not_take_is_not_acknowledged_and_comes_again(Stores stores) {
    AtomicBoolean away = new AtomicBoolean(true);
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = kit(failing(store, away))) {
      publish("m-1", "o-1", "real");
      kit.runUntilIdle();
      assertThat(queue.size("shipments")).isEqualTo(1);

      away.set(false);
      queue.redeliver("shipments");
      kit.runUntilIdle();
      assertThat(queue.size("shipments")).isZero();
      assertThat(kit.engine().messages().unmatched(null, 10, ALICE)).hasSize(1);
    }
  }

  /** A store whose inbox is away for a while. */
  private static Store failing(Store store, AtomicBoolean away) {
    Correlations correlations =
        proxy(
            Correlations.class,
            (proxy, method, args) -> {
              if (method.getName().equals("receive") && away.get()) {
                throw new StoreException(StoreException.Kind.TRANSIENT, "It is away", null);
              }
              return method.invoke(store.correlations(), args);
            });
    return proxy(
        Store.class,
        (proxy, method, args) ->
            method.getName().equals("correlations") ? correlations : method.invoke(store, args));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
