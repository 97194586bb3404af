package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.StoreHooks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node asks its store for a definition, changes the definition meanwhile, and gets the answer to
 * its question afterwards. The answer must not be kept: it is older than the change.
 */
final class LateDefinitionsTest {

  private static final Caller ALICE = Caller.of("alice");

  private final AtomicBoolean armed = new AtomicBoolean();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final CountDownLatch changed = new CountDownLatch(1);

  @ParameterizedTest
  @EnumSource
  void a_start_after_a_deployment_gets_the_new_version(RealStores.Kind stores) throws Exception {
    try (Engine engine = engine(stores)) {
      engine.definitions().deploy(flow("first"), ALICE);
      CompletableFuture<?> early = held(() -> start(engine));

      engine.definitions().deploy(flow("second"), ALICE);
      changed.countDown();
      early.get(10, TimeUnit.SECONDS);

      assertThat(versionOf(engine, start(engine))).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothing_begins_on_a_version_that_is_retired(RealStores.Kind stores) throws Exception {
    try (Engine engine = engine(stores)) {
      engine.definitions().deploy(flow("first"), ALICE);
      CompletableFuture<?> early = held(() -> start(engine));

      engine.definitions().retire("flow", 1, ALICE);
      changed.countDown();
      early.get(10, TimeUnit.SECONDS);

      assertThatExceptionOfType(CommandRefused.class).isThrownBy(() -> start(engine));
    }
  }

  private Engine engine(RealStores.Kind stores) {
    Store store = RealStores.store(stores);
    return Engine.builder(StoreHooks.after(store, "find", StoreHooks.once(armed, this::hold)))
        .start();
  }

  private void hold() {
    answered.countDown();
    try {
      assertThat(changed.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A call whose question to the store has its answer, which has not arrived yet. */
  private CompletableFuture<Void> held(Runnable call) throws InterruptedException {
    armed.set(true);
    CompletableFuture<Void> early = CompletableFuture.runAsync(call);
    assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
    return early;
  }

  private static InstanceId start(Engine engine) {
    return engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();
  }

  private static int versionOf(Engine engine, InstanceId run) {
    return engine.definitions().of(run, ALICE).orElseThrow().version();
  }

  private static String flow(String name) {
    return """
    waymark: 1
    key: flow
    name: %s
    start: ask
    activities:
      ask: { type: wait }
    """
        .formatted(name);
  }
}
