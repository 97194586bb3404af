package dev.waymark.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine that was closed answers at once, on both stores and with real threads. */
@Timeout(60)
final class ClosedEngineTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration LONG = Duration.ofHours(1);
  private static final String CLOSED = "Expected an open engine, but it is closed";

  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: user-task, with: { candidates: anna } }
      """;

  @ParameterizedTest
  @EnumSource
  void what_is_asked_of_a_closed_engine_is_refused_at_once(Stores stores) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    Engine engine = Engine.builder(store).clock(clock).start();
    engine.deploy(FLOW, ANNA);
    InstanceId run = engine.start(StartRequest.of("flow"), ANNA).orThrow();
    var task = engine.find(run, ANNA).orElseThrow().bookmarks().firstKey();
    engine.close();

    Caller patient = ANNA.withTimeout(LONG);
    assertThatThrownBy(() -> engine.startAsync(StartRequest.of("flow"), patient))
        .isInstanceOf(EngineException.class)
        .hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.start(StartRequest.of("flow"), patient)).hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.tasks().complete(task, java.util.Map.of(), patient))
        .hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.bookmarks().claimNext(LONG, patient)).hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.awaitEnd(run, LONG, ANNA)).hasMessage(CLOSED);
  }

  @ParameterizedTest
  @EnumSource
  void who_waits_for_an_end_is_told_when_the_engine_is_closed(Stores stores) throws Exception {
    VirtualClock clock = new VirtualClock();
    Engine engine = Engine.builder(stores.create().open(clock)).clock(clock).start();
    engine.deploy(FLOW, ANNA);
    InstanceId run = engine.start(StartRequest.of("flow"), ANNA).orThrow();

    CompletableFuture<Object> end =
        CompletableFuture.supplyAsync(() -> engine.awaitEnd(run, LONG, ANNA));
    engine.close();

    assertThatThrownBy(() -> end.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(EngineException.class);
    assertThat(engine.load().queued()).isZero();
  }
}
