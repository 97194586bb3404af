package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine that was closed answers at once, on both stores and with real threads. */
@Timeout(60)
final class ClosedEngineTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Duration LONG = Duration.ofHours(1);
  private static final String CLOSED = "Expected an open engine, but it is closed";

  private static final Correlated MESSAGE = Correlated.of("news", "k", Map.of(), "test", "1");

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
    engine.definitions().deploy(FLOW, ANNA);
    InstanceId run = engine.instances().start(StartRequest.of("flow"), ANNA).orThrow();
    var task = engine.instances().find(run, ANNA).orElseThrow().bookmarks().firstKey();
    engine.close();

    Caller patient = ANNA.withTimeout(LONG);
    assertThatThrownBy(() -> engine.instances().startAsync(StartRequest.of("flow"), patient))
        .isInstanceOf(EngineException.class)
        .hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.instances().start(StartRequest.of("flow"), patient))
        .hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.tasks().complete(task, java.util.Map.of(), patient))
        .hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.bookmarks().claimNext(LONG, patient)).hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.instances().awaitEnd(run, LONG, ANNA)).hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.messages().correlateAsync(MESSAGE, patient)).hasMessage(CLOSED);
  }

  /** The message is stored, and its sender is told of it after nothing runs tasks any more. */
  @ParameterizedTest
  @EnumSource
  void the_sender_of_a_message_that_is_under_way_hears_of_the_end(Stores stores) throws Exception {
    VirtualClock clock = new VirtualClock();
    CountDownLatch storing = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean(true);
    Store store =
        StoreHooks.after(
            stores.create().open(clock),
            "receive",
            StoreHooks.once(
                armed,
                () -> {
                  storing.countDown();
                  deaf(closed);
                }));
    Engine engine = Engine.builder(store).clock(clock).start();
    CompletableFuture<Boolean> sent = engine.messages().correlateAsync(MESSAGE, ANNA);
    assertThat(storing.await(20, TimeUnit.SECONDS)).isTrue();

    engine.close();
    closed.countDown();

    assertThatThrownBy(() -> sent.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EngineException.class)
        .hasMessageContaining(CLOSED);
  }

  @ParameterizedTest
  @EnumSource
  void a_migration_that_is_under_way_hears_that_the_engine_is_closed(Stores stores)
      throws Exception {
    VirtualClock clock = new VirtualClock();
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean();
    Store store =
        StoreHooks.before(
            stores.create().open(clock),
            "commit",
            StoreHooks.once(
                armed,
                () -> {
                  writing.countDown();
                  deaf(told);
                }));
    Engine engine = Engine.builder(store).clock(clock).start();
    engine.definitions().deploy(FLOW, ANNA);
    engine.instances().start(StartRequest.of("flow"), ANNA).orThrow();
    engine.definitions().deploy(FLOW + "# two\n", ANNA);
    armed.set(true);
    MigrationRequest request = new MigrationRequest("flow", 1, 2, MigrationPlan.PLAIN);
    CompletableFuture<?> migration =
        CompletableFuture.runAsync(
            () -> engine.operations().migrate(request, ANNA),
            task -> Thread.ofPlatform().daemon().start(task));
    assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

    CompletableFuture<?> close =
        CompletableFuture.runAsync(engine::close, task -> Thread.ofPlatform().daemon().start(task));
    try {
      assertThatThrownBy(() -> migration.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(EngineException.class)
          .hasMessageContaining(CLOSED);
    } finally {
      told.countDown();
    }
    close.get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void who_waits_for_an_end_is_told_when_the_engine_is_closed(Stores stores) throws Exception {
    VirtualClock clock = new VirtualClock();
    Engine engine = Engine.builder(stores.create().open(clock)).clock(clock).start();
    engine.definitions().deploy(FLOW, ANNA);
    InstanceId run = engine.instances().start(StartRequest.of("flow"), ANNA).orThrow();

    CompletableFuture<Object> end =
        CompletableFuture.supplyAsync(() -> engine.instances().awaitEnd(run, LONG, ANNA));
    engine.close();

    assertThatThrownBy(() -> end.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(EngineException.class);
    assertThat(engine.load().queued()).isZero();
  }

  private static final String BUSY =
      """
      waymark: 1
      key: busy
      start: body
      activities:
        body: { type: deaf }
      """;
  private static final String ASKING =
      """
      waymark: 1
      key: asking
      start: ask
      activities:
        ask: { type: wait }
      """;

  /** Real time: the patience of a close is what is measured. */
  @ParameterizedTest
  @EnumSource
  void all_that_runs_shares_one_patience(Stores stores) throws Exception {
    VirtualClock clock = new VirtualClock();
    CountDownLatch running = new CountDownLatch(3);
    CountDownLatch over = new CountDownLatch(1);
    Store store = stores.create().open(clock);
    Engine engine =
        Engine.builder(store)
            .activity(
                "deaf",
                context -> {
                  running.countDown();
                  deaf(over);
                  return ActivityResult.completed(Map.of());
                })
            .start();
    engine.definitions().deploy(ASKING, ANNA);
    engine.definitions().deploy(BUSY, ANNA);
    for (String worker : List.of("one", "two")) {
      engine.instances().start(StartRequest.of("asking"), ANNA).orThrow();
      engine
          .worker(BookmarkKind.USER_ACTION)
          .name(worker)
          .concurrency(1)
          .handle(
              work -> {
                running.countDown();
                deaf(over);
                return Map.of();
              });
    }
    engine.instances().start(StartRequest.of("busy"), ANNA).orThrow();
    assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

    long began = System.nanoTime();
    engine.close();
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    over.countDown();

    assertThat(took).isLessThan(Duration.ofSeconds(15));
  }

  /** Goes on whatever interrupts it. */
  private static void deaf(CountDownLatch over) {
    boolean waits = true;
    while (waits) {
      try {
        waits = !over.await(40, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        waits = over.getCount() > 0;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_change_of_a_schedule_that_is_under_way_hears_that_the_engine_is_closed(Stores stores)
      throws Exception {
    VirtualClock clock = new VirtualClock();
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean();
    Store store =
        StoreHooks.before(
            stores.create().open(clock),
            "create",
            StoreHooks.once(
                armed,
                () -> {
                  writing.countDown();
                  deaf(closed);
                }));
    Engine engine = Engine.builder(store).clock(clock).start();
    engine.definitions().deploy(FLOW, ANNA);
    armed.set(true);
    Schedule daily = Schedule.every("daily", Duration.ofDays(1), StartRequest.of("flow"));
    CompletableFuture<?> put =
        CompletableFuture.runAsync(
            () -> engine.schedules().put(daily, ANNA.withTimeout(LONG)),
            task -> Thread.ofPlatform().daemon().start(task));
    assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

    engine.close();
    closed.countDown();

    assertThatThrownBy(() -> put.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EngineException.class)
        .hasMessageContaining(CLOSED);
    assertThatThrownBy(() -> engine.schedules().pause("daily", ANNA)).hasMessage(CLOSED);
    assertThatThrownBy(() -> engine.instances().find(InstanceId.derived("default", "x"), ANNA))
        .hasMessage(CLOSED);
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_whose_store_was_closed_before_it_still_ends_its_threads(Stores stores) {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    Engine engine = Engine.builder(store).clock(clock).name("orphan").start();
    store.close();

    engine.close();

    assertThatThrownBy(() -> engine.definitions().deploy(FLOW, ANNA)).hasMessageContaining(CLOSED);
  }
}
