package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A look into the database for one tenant that takes long holds up no other tenant's. */
final class TenantsApartTest {

  private static final Duration IN_TIME = Duration.ofSeconds(20);
  private static final Caller ALICE = of("alice");
  private static final Caller TRUDY = of("trudy");

  private static final String PAID =
      """
      waymark: 1
      key: paid
      start: w
      activities:
        w: { type: wait, with: { for: external-message, key: paid, correlate: o-1 } }
      """;

  private static final String HEARS =
      """
      waymark: 1
      key: hears
      start: w
      activities:
        w: { type: wait, with: { for: signal, key: go } }
      """;

  private final VirtualClock clock = new VirtualClock();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);
  private final AtomicBoolean armed = new AtomicBoolean(true);

  private static Caller of(String tenant) {
    return Caller.of(new Actor(tenant, tenant, Set.of(), Set.of())).withTimeout(IN_TIME);
  }

  /** A store whose first call of that method waits until the test is over. */
  private Store holding(Store store, String method) {
    return StoreHooks.before(
        store,
        method,
        StoreHooks.once(
            armed,
            () -> {
              held.countDown();
              try {
                var unused = released.await(60, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
  }

  private static void sendPaid(Engine engine, Caller who) {
    engine.messages().correlate(Correlated.of("paid", "o-1", Map.of(), "bank", "m-1"), who);
  }

  @ParameterizedTest
  @EnumSource(Stores.class)
  void a_kept_message_is_brought_while_the_look_of_another_tenant_hangs(Stores stores)
      throws Exception {
    try (Engine engine =
        Engine.builder(holding(stores.create().open(clock), "pairs")).clock(clock).start()) {
      engine.definitions().deploy(PAID, TRUDY);
      engine.definitions().deploy(PAID, ALICE);
      sendPaid(engine, TRUDY);
      sendPaid(engine, ALICE);

      InstanceId late = engine.instances().start(StartRequest.of("paid"), TRUDY).orThrow();
      assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
      InstanceId run = engine.instances().start(StartRequest.of("paid"), ALICE).orThrow();

      assertThat(engine.instances().awaitEnd(run, IN_TIME, ALICE).status())
          .isEqualTo(Status.COMPLETED);
      released.countDown();
      assertThat(engine.instances().awaitEnd(late, IN_TIME, TRUDY).status())
          .isEqualTo(Status.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource(Stores.class)
  void a_signal_is_heard_while_the_handing_out_of_another_tenants_hangs(Stores stores)
      throws Exception {
    try (Engine engine =
        Engine.builder(holding(stores.create().open(clock), "handOut")).clock(clock).start()) {
      engine.definitions().deploy(HEARS, TRUDY);
      engine.definitions().deploy(HEARS, ALICE);
      InstanceId late = engine.instances().start(StartRequest.of("hears"), TRUDY).orThrow();
      InstanceId run = engine.instances().start(StartRequest.of("hears"), ALICE).orThrow();

      engine.messages().signal("go", Map.of(), "shop", "s-1", TRUDY);
      assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
      engine.messages().signal("go", Map.of(), "shop", "s-1", ALICE);

      assertThat(engine.instances().awaitEnd(run, IN_TIME, ALICE).status())
          .isEqualTo(Status.COMPLETED);
      released.countDown();
      assertThat(engine.instances().awaitEnd(late, IN_TIME, TRUDY).status())
          .isEqualTo(Status.COMPLETED);
    }
  }
}
