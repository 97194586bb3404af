package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.proof.support.Soon;
import dev.waymark.sqlite.SqliteStore;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The threads that user code is called on, once its type has proved quick as well. */
final class UserCodeThreadsTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: shares
      activities:
        shares: { type: shares, next: apart }
        apart: { type: apart }
      """;

  /** Far more than quick code needs to get onto the engine's threads, on a busy machine as well. */
  private static final int MOST_RUNS = 20_000;

  private static Engine start(EngineBuilder builder) {
    Engine engine = builder.start();
    engine.definitions().deploy(FLOW, ALICE);
    return engine;
  }

  private static EngineBuilder builder() {
    return Engine.builder(SqliteStore.inMemory(InstantSource.system()));
  }

  /** Runs the flow until it was seen, or for as many times as may be. */
  private static void runUntil(BooleanSupplier seen, Engine engine) {
    runUntil(seen, engine, MOST_RUNS);
  }

  private static void runUntil(BooleanSupplier seen, Engine engine, int mostRuns) {
    for (int i = 0; i < mostRuns && !seen.getAsBoolean(); i++) {
      InstanceId run = engine.instances().start(StartRequest.of("flow"), ALICE).orThrow();
      assertThat(engine.instances().awaitEnd(run, Duration.ofSeconds(20), ALICE).status())
          .isEqualTo(Status.COMPLETED);
    }
  }

  /** Leaves a mark on its thread, and counts the marks that it finds. */
  private static final class Marking implements Activity {

    private final ThreadLocal<@Nullable String> mark;
    private final boolean shares;
    private final AtomicInteger found = new AtomicInteger();

    Marking(ThreadLocal<@Nullable String> mark, boolean shares) {
      this.mark = mark;
      this.shares = shares;
    }

    @Override
    public ActivityResult execute(ActivityContext context) {
      if (mark.get() != null) {
        found.incrementAndGet();
      }
      mark.set(context.activity());
      return ActivityResult.completed();
    }

    @Override
    public boolean sharesThreads() {
      return shares;
    }
  }

  @Test
  void a_body_that_does_not_share_its_thread_never_finds_what_another_has_left_there() {
    ThreadLocal<@Nullable String> mark = new ThreadLocal<>();
    Marking shares = new Marking(mark, true);
    Marking apart = new Marking(mark, false);
    try (Engine engine = start(builder().activity("shares", shares).activity("apart", apart))) {
      // Both are as quick as each other: what one has found on its thread, the other would find.
      runUntil(() -> shares.found.get() >= 100, engine);

      assertThat(shares.found).hasValueGreaterThanOrEqualTo(100);
      assertThat(apart.found).hasValue(0);
    }
  }

  @Test
  void an_activity_is_asked_once_whether_it_shares_threads_and_not_while_runs_need_it() {
    AtomicInteger asked = new AtomicInteger();
    Activity moody =
        new Activity() {
          @Override
          public ActivityResult execute(ActivityContext context) {
            return ActivityResult.completed();
          }

          @Override
          public boolean sharesThreads() {
            if (asked.incrementAndGet() > 1) {
              throw new IllegalStateException("not configured any more");
            }
            return true;
          }
        };
    try (Engine engine =
        start(
            builder()
                .activity("shares", moody)
                .activity("apart", new Marking(new ThreadLocal<>(), false)))) {
      runUntil(() -> false, engine, 100);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void user_code_has_the_class_loader_of_the_thread_that_built_the_engine() throws Exception {
    Map<String, Set<ClassLoader>> loaders = new ConcurrentHashMap<>();
    Thread builder = Thread.currentThread();
    ClassLoader before = builder.getContextClassLoader();
    try (URLClassLoader mine = new URLClassLoader("mine", new URL[0], before)) {
      builder.setContextClassLoader(mine);
      Engine built;
      try {
        built =
            start(
                builder()
                    .activity("shares", context -> seen(loaders, "body"))
                    .activity("apart", new Marking(new ThreadLocal<>(), false))
                    .subscribe("all", type -> true, event -> seen(loaders, "listener")));
      } finally {
        builder.setContextClassLoader(before);
      }
      try (Engine engine = built) {
        runUntil(() -> loaders.containsKey("body on the engine's thread"), engine);
        Soon.until(Duration.ofSeconds(20), () -> loaders.containsKey("listener"), heard -> heard);

        assertThat(loaders)
            .containsOnlyKeys("body", "body on the engine's thread", "listener")
            .allSatisfy((code, found) -> assertThat(found).as(code).containsExactly(mine));
      }
    }
  }

  private static ActivityResult seen(Map<String, Set<ClassLoader>> loaders, String code) {
    Thread thread = Thread.currentThread();
    loaders
        .computeIfAbsent(
            thread.isVirtual() ? code : code + " on the engine's thread",
            key -> ConcurrentHashMap.newKeySet())
        .add(thread.getContextClassLoader());
    return ActivityResult.completed();
  }
}
