package dev.waymark.testkit;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Store;
import dev.waymark.sqlite.SqliteStore;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A whole engine for one test: in memory, on one thread, under a virtual clock. Two kits share
 * nothing, so tests may run side by side.
 */
public final class WorkflowTestKit implements AutoCloseable {

  private static final Caller TEST = Caller.of("test");

  private final VirtualClock clock;
  private final PumpScheduler scheduler;
  private final Engine engine;
  private boolean closed;

  private WorkflowTestKit(VirtualClock clock, Store store, Consumer<EngineBuilder> setUp) {
    this.clock = clock;
    this.scheduler = new PumpScheduler(clock);
    EngineBuilder builder =
        Engine.builder(store)
            .clock(clock)
            .scheduler(scheduler)
            .settings(Settings.DEFAULT.alone())
            .ids(IdSource.timeOrdered(clock, new Random(clock.nextSeed())));
    setUp.accept(builder);
    this.engine = builder.start();
    scheduler.runUntilIdle();
  }

  /** A kit in memory whose engine knows the given activities. */
  public static WorkflowTestKit with(Consumer<EngineBuilder> setUp) {
    VirtualClock clock = new VirtualClock();
    return new WorkflowTestKit(clock, SqliteStore.inMemory(clock), setUp);
  }

  /** A kit on a store of your own, which must follow the same clock. */
  public static WorkflowTestKit on(Store store, VirtualClock clock, Consumer<EngineBuilder> setUp) {
    return new WorkflowTestKit(clock, store, setUp);
  }

  public Engine engine() {
    return engine;
  }

  public VirtualClock clock() {
    return clock;
  }

  public Definition deploy(String text) {
    return engine.definitions().deploy(text, TEST);
  }

  /** Starts an instance and runs it until it moves on only by time or by an answer. */
  public Run start(String definition, Map<String, ? extends @Nullable Object> input) {
    return start(StartRequest.of(definition).input(input));
  }

  public Run start(StartRequest request) {
    InstanceId id = engine.instances().start(request, TEST).orThrow();
    scheduler.runUntilIdle();
    return new Run(this, id, TEST);
  }

  public Run run(InstanceId id) {
    return new Run(this, id, TEST);
  }

  /** Moves time, and runs everything that comes due on the way. */
  public void advance(Duration by) {
    checkOpen();
    scheduler.advance(by);
  }

  /** From now on, if several tasks could run next, the given seed decides which one does. */
  public void reorder(long seed) {
    scheduler.reorder(seed);
  }

  public void runUntilIdle() {
    checkOpen();
    scheduler.runUntilIdle();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("Expected an open kit, but it is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    engine.close();
  }
}
